import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildASTSchema, type DocumentNode, Kind, parse, validate, visit } from 'graphql';
import { expect, test } from 'vitest';
import { DESCRIPTORS, loadDescriptor, specPath } from './load-builtin.fixture.ts';

const folder = path.join(DESCRIPTORS, 'github/graphql');
const documents = new Map(readdirSync(folder).map((file): [string, DocumentNode] => [file, parse(readFileSync(path.join(folder, file), 'utf8'))]));

test('PRV-17a: every document is named by the descriptor, and every named one is there', () => {
  const named = Object.values(loadDescriptor('github').graphql?.documents ?? {}).map(document => path.basename(document.file));
  expect([...documents.keys()].sort()).toEqual(named.sort());
});

test('PRV-17a: documents hold one operation and no values of a caller: variables only', () => {
  for (const [file, document] of documents) {
    expect(
      document.definitions.map(definition => definition.kind),
      file,
    ).toEqual([Kind.OPERATION_DEFINITION]);
    const literals: string[] = [];
    visit(document, { StringValue: node => void literals.push(node.value) });
    expect(literals, file).toEqual(file === 'project-items.graphql' ? ['Status'] : []);
  }
});

test('PRV-17a: documents are valid against the pinned schema', context => {
  const sdl = specPath('github/schema.graphql');
  if (sdl === undefined) return context.skip();
  // The published schema has two fields twice, so it is not held to the rules of schemas.
  const schema = buildASTSchema(parse(readFileSync(sdl, 'utf8'), { noLocation: true }), { assumeValidSDL: true });
  for (const [file, document] of documents)
    expect(
      validate(schema, document).map(error => error.message),
      file,
    ).toEqual([]);
});
