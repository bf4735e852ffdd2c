/** Holds a provider's persisted GraphQL documents to the pinned schema of its vendor (PRV-17a). No network. */
import { readFile } from 'node:fs/promises';
import { AppError } from '@weir/kernel';
import { buildASTSchema, type DocumentNode, Kind, parse, validate } from 'graphql';
import { findPinned } from './compile-provider.ts';
import { type ProviderFiles, providerFile } from './provider-files.ts';

export type DocumentCheck =
  /** The provider has none, or takes those of the one that it extends. */
  { readonly kind: 'none' } | { readonly kind: 'valid'; readonly documents: number } | { readonly kind: 'not verifiable here'; readonly digest: string };

const MAX_PROBLEMS = 20;

function readDocument(name: string, text: string): { readonly document: DocumentNode } | { readonly problem: string } {
  try {
    const document = parse(text, { maxTokens: 2_000 });
    const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
    return operations === 1 ? { document } : { problem: `${name}: has ${operations} operations; a document has one` };
  } catch (error) {
    return { problem: `${name}: ${error instanceof Error ? error.message : 'is no document'}` };
  }
}

/**
 * @param specs a folder to look for the schema in, by its digest; the local cache is looked in too.
 * @throws AppError COMPILE_FAILED that names each document and what in it the schema does not have.
 */
export async function checkDocuments(provider: ProviderFiles, specs: string | undefined): Promise<DocumentCheck> {
  const { graphql } = provider.descriptor;
  if (graphql === undefined) return { kind: 'none' };
  const sdl = await findPinned(graphql.sdl.digest, specs);
  if (sdl === undefined) return { kind: 'not verifiable here', digest: graphql.sdl.digest };
  // A published schema may break the rules of schemas (GitHub's has two fields twice); documents are held to what it says.
  const schema = buildASTSchema(parse(sdl.toString('utf8'), { noLocation: true }), { assumeValidSDL: true });
  const problems: string[] = [];
  for (const [name, { file }] of Object.entries(graphql.documents)) {
    const read = readDocument(name, await readFile(providerFile(provider, file), 'utf8'));
    if ('problem' in read) problems.push(read.problem);
    else problems.push(...validate(schema, read.document).map(({ message, locations }) => `${name}:${locations?.[0]?.line ?? 1}: ${message}`));
  }
  if (problems.length === 0) return { kind: 'valid', documents: Object.keys(graphql.documents).length };
  throw new AppError('COMPILE_FAILED', `${provider.name}: documents that the pinned schema does not have:\n${problems.slice(0, MAX_PROBLEMS).join('\n')}`, {
    next: 'Correct the documents under graphql/, or pin the schema that they are written for.',
  });
}

/** What the check found, in a line for people. */
export function documentLine(check: DocumentCheck): string {
  if (check.kind === 'none') return '';
  if (check.kind === 'valid') return `  ${check.documents} GraphQL documents are valid against the pinned schema\n`;
  return `  GraphQL documents are not verifiable here: the pinned schema (${check.digest}) is not at hand; --specs <folder> names where it lies\n`;
}
