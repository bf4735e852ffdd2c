/** From a provider's files and its pinned description to its operation table. No network: the description is found by its digest. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { MAX_ARTIFACT_BYTES, type OperationTable, readTable, writeTable } from '@weir/operation-table';
import { type CompiledTable, compileTable } from '@weir/provider-compiler';
import { cacheFolder } from '../paths.ts';
import { type ProviderFiles, providerFile, readTree } from './provider-files.ts';
import { digestOf, MAX_DESCRIPTION_BYTES, parseDescription, readDescriptionFile } from './read-description.ts';

export const TABLE_FILE = 'optable.json';
export const PRUNED_FILE = 'spec.pruned.json';

/** Bytes of pinned descriptions, by digest. */
const specCache = (): string => path.join(cacheFolder(), 'specs');

/** The pinned description of a provider in a folder of descriptions, by digest. Undefined where none fits. */
async function findIn(folder: string, digest: string): Promise<Buffer | undefined> {
  if (!existsSync(folder)) return undefined;
  for (const entry of (await readdir(folder, { recursive: true })).sort()) {
    if (!/\.(json|ya?ml|tmpl|graphql)$/.test(entry)) continue;
    const file = path.join(folder, entry);
    const found = await stat(file);
    if (!found.isFile() || found.size === 0 || found.size > MAX_DESCRIPTION_BYTES) continue;
    const bytes = await readFile(file);
    if (digestOf(bytes) === digest) return bytes;
  }
  return undefined;
}

/** The file that the descriptor itself names, where it is the pinned one. */
async function findNamed({ descriptor, folder }: ProviderFiles): Promise<Buffer | undefined> {
  const { source, digest } = descriptor.spec;
  if (!('file' in source)) return undefined;
  const file = path.resolve(folder, source.file);
  if (!existsSync(file)) return undefined;
  const bytes = await readDescriptionFile(file);
  return digestOf(bytes) === digest ? bytes : undefined;
}

/** The bytes of a digest, from the given folder or the local cache. Undefined where neither has them. */
export const findPinned = async (digest: string, specs: string | undefined): Promise<Buffer | undefined> =>
  (specs === undefined ? undefined : await findIn(path.resolve(specs), digest)) ?? findIn(specCache(), digest);

/** Looks where the descriptor says, then in the given folder, then in the local cache. */
const findSpec = async (provider: ProviderFiles, specs: string | undefined): Promise<Buffer | undefined> =>
  (await findNamed(provider)) ?? findPinned(provider.descriptor.spec.digest, specs);

/** The committed description without prose, of the provider or of one that it extends with the same pin. */
async function findPruned(provider: ProviderFiles): Promise<unknown> {
  const { digest } = provider.descriptor.spec;
  for (let at: ProviderFiles | undefined = provider; at?.descriptor.spec.digest === digest; at = at.parent) {
    const file = path.join(at.folder, PRUNED_FILE);
    if (existsSync(file)) return parseDescription(provider.name, await readFile(file), undefined);
  }
  return undefined;
}

/** Compiles a description, parsed, for a provider. Throws COMPILE_FAILED naming every operation, place, reason and mend. */
export async function compileProvider(provider: ProviderFiles, description: unknown): Promise<CompiledTable> {
  const { descriptor, name } = provider;
  const { spec, operations, pagination } = descriptor;
  const supplement = spec.supplement === undefined ? undefined : await readTree(providerFile(provider, spec.supplement));
  const overlay = spec.overlay === undefined ? undefined : await readTree(providerFile(provider, spec.overlay));
  const result = compileTable({
    provider: name,
    apiVersion: spec.api_version,
    format: spec.format,
    specDigest: spec.digest,
    source: { value: description },
    ...(overlay === undefined ? {} : { overlay }),
    ...(supplement === undefined ? {} : { supplements: [{ format: spec.format, value: supplement }] }),
    selection: {
      ...(operations.include_categories ? { includeCategories: operations.include_categories } : {}),
      ...(operations.include ? { include: operations.include } : {}),
      exclude: operations.exclude,
    },
    pagination: {
      style: pagination.style,
      ...(pagination.page_parameter ? { pageParameter: pagination.page_parameter } : {}),
      ...(pagination.per_page_parameter ? { perPageParameter: pagination.per_page_parameter } : {}),
    },
    keyBy: operations.key_by,
    slash: operations.slash,
    onUnsupported: 'gap',
  });
  if (result.ok) return result;
  const lines = result.problems.map(
    ({ operation, place, reason, mend }) => `${operation || 'description'}${place === '' ? '' : ` at ${place}`}: ${reason}; ${mend}`,
  );
  throw new AppError('COMPILE_FAILED', `${name}:\n${lines.join('\n')}`);
}

/**
 * Compiles from the whole pinned description, else from the committed part of it. Undefined where neither is at hand.
 * @param specs a folder of descriptions to look in.
 */
export async function compileFromSpec(provider: ProviderFiles, specs: string | undefined): Promise<CompiledTable | undefined> {
  const bytes = await findSpec(provider, specs);
  const description = bytes === undefined ? await findPruned(provider) : parseDescription(provider.name, bytes, provider.descriptor.spec.template_values);
  return description === undefined ? undefined : compileProvider(provider, description);
}

/** Keeps the bytes of a pinned description: in the provider's own folder where its source is a file there, else in the local cache. */
export async function keepDescription({ descriptor, folder }: ProviderFiles, bytes: Buffer): Promise<void> {
  const { source, digest } = descriptor.spec;
  const own = 'file' in source ? path.resolve(folder, source.file) : undefined;
  if (own?.startsWith(`${folder}${path.sep}`)) return writeFile(own, bytes);
  const ending = /^\s*[{[]/.test(bytes.toString('utf8', 0, 64)) ? 'json' : 'yaml';
  await mkdir(specCache(), { recursive: true });
  await writeFile(path.join(specCache(), `${digest.slice('sha256:'.length)}.${ending}`), bytes);
}

/** Writes the table, and the description without prose where its licence allows that. Gives the table's text. */
export async function writeArtifacts({ folder, descriptor }: ProviderFiles, compiled: CompiledTable): Promise<string> {
  const text = tableText(compiled.table);
  await writeFile(path.join(folder, TABLE_FILE), text);
  if (descriptor.spec.commit_pruned) await writeFile(path.join(folder, PRUNED_FILE), `${JSON.stringify(compiled.prune())}\n`);
  return text;
}

/** The committed table of a provider. Throws COMPILE_FAILED where there is none, or it is not a table. */
export async function loadTable({ folder, name }: ProviderFiles): Promise<OperationTable> {
  const file = path.join(folder, TABLE_FILE);
  if (!existsSync(file)) throw new AppError('COMPILE_FAILED', `${name} is not compiled yet`, { next: `Run: weir provider pin ${name}` });
  const read = readTable(await readFile(file, 'utf8'));
  if (!read.ok) throw new AppError('COMPILE_FAILED', `${file}: ${read.problem}`);
  return read.table;
}

/** The artifact's text, within its bound. */
export function tableText(table: OperationTable): string {
  const text = writeTable(table);
  if (text.length > MAX_ARTIFACT_BYTES)
    throw new AppError('COMPILE_FAILED', `the table of ${table.provider} has ${text.length} bytes, more than ${MAX_ARTIFACT_BYTES}`, {
      next: 'Select fewer operations in the descriptor.',
    });
  return text;
}
