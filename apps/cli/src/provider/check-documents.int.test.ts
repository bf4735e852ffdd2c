import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { afterAll, expect, test } from 'vitest';
import { checkDocuments, documentLine } from './check-documents.ts';
import type { ProviderFiles } from './provider-files.ts';
import { digestOf } from './read-description.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'weir-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));
const specs = path.join(folder, 'specs');
mkdirSync(path.join(folder, 'graphql'));
mkdirSync(specs);

// Two fields twice, as a published schema has them.
const SDL = 'type Query { note(id: ID!): Note, note(id: ID!): Note }\ntype Note { id: ID!, text: String! }\n';
writeFileSync(path.join(specs, 'schema.graphql'), SDL);

const provider = (text: string, digest = digestOf(Buffer.from(SDL))): ProviderFiles => {
  writeFileSync(path.join(folder, 'graphql/note.graphql'), text);
  const graphql = { endpoint: 'https://notes.example/graphql', sdl: { digest }, documents: { note: { file: 'graphql/note.graphql' } } };
  return { name: 'notes', folder, descriptor: { graphql } } as unknown as ProviderFiles;
};

test(`${verifies('PRV-17a')} documents are held to the pinned schema`, async () => {
  expect(await checkDocuments(provider('query ($id: ID!) { note(id: $id) { text } }'), specs)).toEqual({ kind: 'valid', documents: 1 });
});

test.each([
  ['a field that is not there', 'query ($id: ID!) { note(id: $id) { body } }', 'note:1: Cannot query field "body" on type "Note"'],
  ['a variable of another type', 'query ($id: String!) { note(id: $id) { text } }', 'used in position expecting type "ID!"'],
  ['no document', 'query {', 'note: Syntax Error'],
  ['two operations', 'query a { note(id: "1") { id } } query b { note(id: "1") { id } }', 'note: has 2 operations'],
])(`${verifies('PRV-17a')} refused: %s`, async (_, text, problem) => {
  await expect(checkDocuments(provider(text), specs)).rejects.toMatchObject({ code: 'COMPILE_FAILED', message: expect.stringContaining(problem) });
});

test(`${verifies('PRV-17a', 'PRV-5')} without the schema the documents are not called valid`, async () => {
  const check = await checkDocuments(provider('query { note(id: "1") { id } }', `sha256:${'0'.repeat(64)}`), specs);
  expect(check).toMatchObject({ kind: 'not verifiable here' });
  expect(documentLine(check)).toContain('not verifiable here');
});
