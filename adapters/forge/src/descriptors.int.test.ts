import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CompileInput, compileTable, fillTemplate } from '@weir/provider-compiler';
import { checkBindings } from '@weir/provider-descriptor';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DESCRIPTORS, loadDescriptor, PROVIDERS, specPath } from './load-builtin.fixture.ts';
import { SPEC_FACTS } from './published-operations.fixture.ts';

/** A file beside the descriptor, or beside the one that it extends. */
const beside = (names: readonly string[], file: string): string => {
  const found = names.map(name => path.join(DESCRIPTORS, name, file)).find(existsSync);
  return readFileSync(found ?? file, 'utf8');
};

describe.each(PROVIDERS)('%s', name => {
  const descriptor = loadDescriptor(name);
  const { spec, operations, pagination } = descriptor;

  test('PRV-6: the pin is the file, every bound operation is in it, and so is every argument', context => {
    const file = specPath(SPEC_FACTS[name].file);
    if (file === undefined) return context.skip();
    const bytes = readFileSync(file);
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(spec.digest);
    const families = [name, descriptor.extends ?? name];
    const text = bytes.toString('utf8');
    const input: CompileInput = {
      ...{ provider: name, apiVersion: spec.api_version, format: spec.format, specDigest: spec.digest, keyBy: operations.key_by, onUnsupported: 'gap' },
      source: file.endsWith('.yaml') ? { value: parse(fillTemplate(text, undefined).text, { maxAliasCount: -1 }) as unknown } : { text },
      ...(spec.template_values === undefined ? {} : { templateValues: spec.template_values }),
      ...(spec.overlay === undefined ? {} : { overlay: JSON.parse(beside(families, spec.overlay)) as unknown }),
      ...(spec.supplement === undefined
        ? {}
        : { supplements: [{ format: 'swagger-2.0' as const, value: parse(beside(families, spec.supplement)) as unknown }] }),
      selection: { exclude: operations.exclude },
      pagination: { style: pagination.style },
      slash: operations.slash,
    };
    const compiled = compileTable(input);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems.slice(0, 5), undefined, 1));
    expect(checkBindings(descriptor, compiled.table, { today: '2026-09-01' })).toEqual([]);
  });
});
