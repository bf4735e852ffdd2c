import { writeTable } from '@weir/operation-table';
import { verifies } from '@weir/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile, openApi, swagger } from '../tests/small-descriptions.ts';

const RUNS = 400;
/** A busy machine takes its time; nothing here is timed. */
const PATIENCE_MS = 60_000;

/** Words that mean something to the compiler, so that random descriptions reach deep. */
const WORDS = [
  'get',
  'post',
  'parameters',
  'schema',
  'type',
  'string',
  'array',
  'object',
  'items',
  'properties',
  '$ref',
  '#/components/schemas/a',
  '#/definitions/a',
  '#/paths/~1a',
  'allOf',
  'oneOf',
  'in',
  'query',
  'path',
  'body',
  'name',
  'a',
  '{a}',
  'required',
  'responses',
  '200',
  'content',
  'application/json',
  'requestBody',
  'enum',
  '__proto__',
  'constructor',
  'toString',
  'toJSON',
  'style',
  'operationId',
  'additionalProperties',
  'x-github',
  'servers',
  'url',
  'tags',
] as const;
const word = fc.constantFrom(...WORDS);
const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { maxDepth: 7, depthSize: 'large' },
    fc.constantFrom<unknown>(true, null, 1, -1, 'x'),
    word,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(word, tie('json'), { maxKeys: 6 }),
  ),
}));
const paths = fc.dictionary(
  fc.constantFrom('/a', '/a/{a}', '/b', 'x', '/(a/)b', '/*a'),
  fc.dictionary(fc.constantFrom('get', 'post', 'parameters', '$ref'), json, { maxKeys: 3 }),
  { maxKeys: 4 },
);
const description = fc.tuple(fc.boolean(), paths, json, json).map(([old, some, schemas, overlay]) => ({
  value: old ? swagger(some, { definitions: schemas, parameters: schemas }) : openApi(some, { components: { schemas } }),
  overlay,
}));

test(
  `${verifies('PRV-2a', 'PRV-4')} no JSON makes the compiler throw, as a description or as an overlay`,
  () => {
    fc.assert(
      fc.property(
        fc.oneof(
          description,
          fc.tuple(json, json).map(([value, overlay]) => ({ value, overlay })),
        ),
        ({ value, overlay }) => {
          const result = compile(value ?? {}, { onUnsupported: 'gap' });
          if (result.ok) JSON.stringify(result.prune());
          else
            for (const problem of result.problems)
              expect(problem).toMatchObject({ reason: expect.stringMatching(/./) as unknown, mend: expect.stringMatching(/./) as unknown });
          compile(value ?? {}, { overlay });
        },
      ),
      { numRuns: RUNS },
    );
  },
  PATIENCE_MS,
);

test(
  `${verifies('PRV-2')} the table does not depend on the order of members, and the pruned description gives it again`,
  () => {
    fc.assert(
      fc.property(description, ({ value }) => {
        const one = compile(value, { onUnsupported: 'gap' });
        const other = compile(reversed(value), { onUnsupported: 'gap' });
        expect(other.ok).toBe(one.ok);
        if (!one.ok || !other.ok) return;
        expect(writeTable(other.table)).toBe(writeTable(one.table));
        const again = compile(JSON.parse(JSON.stringify(one.prune())), { onUnsupported: 'gap' });
        expect(again.ok && writeTable(again.table)).toBe(writeTable(one.table));
      }),
      { numRuns: RUNS },
    );
  },
  PATIENCE_MS,
);

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
