/**
 * Small descriptions of our own and a compile with the usual facts, for the tests of the compiler.
 */
import type { OperationRow } from '@weir/operation-table';
import { type CompileInput, type CompileProblem, type CompileResult, compileTable } from '../src/index.ts';

type Json = Record<string, unknown>;

export const openApi = (paths: Json, more: Json = {}): Json => ({
  openapi: '3.0.3',
  info: { title: 'small', version: '1' },
  servers: [{ url: 'https://forge.example/api/v1' }],
  paths,
  ...more,
});

export const swagger = (paths: Json, more: Json = {}): Json => ({
  swagger: '2.0',
  info: { title: 'small', version: '1' },
  host: 'forge.example',
  basePath: '/api/v1',
  consumes: ['application/json', 'text/plain'],
  produces: ['application/json'],
  paths,
  ...more,
});

/** A path with one GET whose answer is empty. */
export const getOf = (operation: Json = {}): Json => ({ get: { operationId: 'one', responses: { 204: { description: '' } }, ...operation } });
export const postOf = (operation: Json = {}): Json => ({ post: { operationId: 'one', responses: { 204: { description: '' } }, ...operation } });

/** A JSON body of OpenAPI 3. */
export const jsonBody = (schema: unknown, more: Json = {}): Json => ({ requestBody: { content: { 'application/json': { schema } }, ...more } });

export function compile(value: unknown, more: Partial<CompileInput> = {}): CompileResult {
  const root = value as Json;
  const format = root['swagger'] === '2.0' ? 'swagger-2.0' : String(root['openapi']).startsWith('3.1') ? 'openapi-3.1' : 'openapi-3.0';
  return compileTable({
    provider: 'small',
    apiVersion: '1',
    format,
    specDigest: `sha256:${'0'.repeat(64)}`,
    source: { value },
    selection: {},
    pagination: { style: 'link' },
    ...more,
  });
}

export function rowsOf(result: CompileResult): readonly OperationRow[] {
  if (!result.ok) throw new Error(`the compile failed: ${JSON.stringify(result.problems)}`);
  return result.table.operations;
}

/** The one row of a description with one operation. */
export function oneRow(value: unknown, more: Partial<CompileInput> = {}): OperationRow {
  const [row, second] = rowsOf(compile(value, more));
  if (row === undefined || second !== undefined) throw new Error('the description has not exactly one operation');
  return row;
}

export function problemsOf(result: CompileResult): readonly CompileProblem[] {
  if (result.ok) throw new Error('the compile did not fail');
  return result.problems;
}
