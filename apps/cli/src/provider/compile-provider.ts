/** From a provider's files and its pinned description to its operation table. No network: the description is found by its digest. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { MAX_ARTIFACT_BYTES, type OperationTable, readTable, writeTable } from '@weir/operation-table';
import { type CompiledTable, compileTable, fillTemplate } from '@weir/provider-compiler';
import { parse } from 'yaml';
import { cacheFolder } from '../paths.ts';
import { type ProviderFiles, readTree } from './provider-files.ts';

export const TABLE_FILE = 'optable.json';
export const PRUNED_FILE = 'spec.pruned.json';

/** Bytes of a published description (PRV-2). */
const MAX_SPEC_BYTES = 32 * 1024 * 1024;

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The pinned description of a provider in a folder of descriptions, by digest. Undefined where none fits. */
async function findIn(folder: string, digest: string): Promise<Buffer | undefined> {
  if (!existsSync(folder)) return undefined;
  for (const entry of (await readdir(folder, { recursive: true })).sort()) {
    const file = path.join(folder, entry);
    const { size } = await stat(file);
    if (size === 0 || size > MAX_SPEC_BYTES || !/\.(json|ya?ml|tmpl)$/.test(entry)) continue;
    const bytes = await readFile(file);
    if (digestOf(bytes) === digest) return bytes;
  }
  return undefined;
}

export const specCache = (): string => path.join(cacheFolder(), 'specs');

/** Looks in the given folder, then in the local cache. */
export async function findSpec({ descriptor }: ProviderFiles, specs: string | undefined): Promise<Buffer | undefined> {
  const { digest } = descriptor.spec;
  return (specs === undefined ? undefined : await findIn(path.resolve(specs), digest)) ?? findIn(specCache(), digest);
}

type Source = Parameters<typeof compileTable>[0]['source'];

/** JSON is handed over as text; YAML is parsed here, after its placeholders are filled. */
function sourceOf(text: string, templateValues: Readonly<Record<string, string>> | undefined): Source {
  if (/^\uFEFF?\s*[{[]/.test(text)) return { text };
  const filled = fillTemplate(text, templateValues);
  if (filled.problems.length > 0) return { text };
  return { value: parse(filled.text) };
}

/** Compiles a description for a provider. Throws COMPILE_FAILED naming every operation, place, reason and mend. */
export async function compileProvider(provider: ProviderFiles, source: Source): Promise<CompiledTable> {
  const { descriptor, folder, name } = provider;
  const { spec, operations, pagination } = descriptor;
  const supplement = spec.supplement === undefined ? undefined : await readTree(path.join(folder, spec.supplement));
  const overlay = spec.overlay === undefined ? undefined : await readTree(path.join(folder, spec.overlay));
  const result = compileTable({
    provider: name,
    apiVersion: spec.api_version,
    format: spec.format,
    specDigest: spec.digest,
    source,
    ...(spec.template_values === undefined ? {} : { templateValues: spec.template_values }),
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
    multiSegment: operations.slash.keep,
    onUnsupported: 'gap',
  });
  if (result.ok) return result;
  const lines = result.problems.map(
    ({ operation, place, reason, mend }) => `${operation || 'description'}${place === '' ? '' : ` at ${place}`}: ${reason}; ${mend}`,
  );
  throw new AppError('COMPILE_FAILED', `${name}:\n${lines.join('\n')}`);
}

/** Compiles from the pinned description, or says where it was looked for. */
export async function compileFromSpec(provider: ProviderFiles, specs: string | undefined): Promise<CompiledTable | undefined> {
  const bytes = await findSpec(provider, specs);
  return bytes === undefined ? undefined : compileProvider(provider, sourceOf(bytes.toString('utf8'), provider.descriptor.spec.template_values));
}

/** The committed table of a provider. Throws COMPILE_FAILED where there is none, or it is not a table. */
export async function loadTable({ folder, name }: ProviderFiles): Promise<OperationTable> {
  const file = path.join(folder, TABLE_FILE);
  if (!existsSync(file))
    throw new AppError('COMPILE_FAILED', `${name} is not compiled yet`, { next: `Run: weir provider compile ${name} --specs <folder of descriptions>` });
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
