/** One side of a comparison: a description, a table or a provider, each as the table that a provider's descriptor makes of it. */
import { existsSync, statSync } from 'node:fs';
import { AppError } from '@weir/kernel';
import { type OperationTable, readTable } from '@weir/operation-table';
import { applyOverlay } from '@weir/provider-compiler';
import { compileProvider, loadTable } from './compile-provider.ts';
import { readHead } from './description-head.ts';
import { loadProvider, type ProviderFiles, providerFile, providerNames, readTree } from './provider-files.ts';
import { digestOf, parseDescription, readDescriptionFile } from './read-description.ts';

export const labelOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

/** `METHOD /path` of the operations that our supplement adds to the vendor's description. */
export async function supplementedLabels(provider: ProviderFiles): Promise<ReadonlySet<string>> {
  const { supplement } = provider.descriptor.spec;
  if (supplement === undefined) return new Set();
  const tree = (await readTree(providerFile(provider, supplement))) as { readonly paths?: Readonly<Record<string, object>> };
  return new Set(Object.entries(tree.paths ?? {}).flatMap(([path, item]) => Object.keys(item).map(method => `${method.toUpperCase()} ${path}`)));
}

const hasTemplate = (text: string, values: Readonly<Record<string, string>>): boolean =>
  Object.keys(values).some(name => new RegExp(`\\{\\{\\s*${name.replace(/[^\w]/g, '\\$&')}\\s*\\}\\}`).test(text));

/**
 * The overlay of the pinned version on another one: each entry that has a place there. The others say nothing of a comparison, since
 * they mend what is not there.
 */
async function overlaid(provider: ProviderFiles, description: unknown): Promise<unknown> {
  const { overlay } = provider.descriptor.spec;
  const entries: unknown = overlay === undefined ? [] : await readTree(providerFile(provider, overlay));
  return (Array.isArray(entries) ? entries : []).reduce<unknown>((value, entry) => {
    const patched = applyOverlay(value, [entry]);
    return patched.problems.length === 0 ? patched.value : value;
  }, description);
}

/** The whole surface of a description: in its own format, whatever version it is, without our supplement. */
async function compileAny(provider: ProviderFiles, bytes: Buffer): Promise<OperationTable> {
  const { spec, operations } = provider.descriptor;
  const values = spec.template_values;
  const filled = values !== undefined && hasTemplate(bytes.toString('utf8'), values) ? values : undefined;
  const description = parseDescription(provider.name, bytes, filled);
  const { format, version } = readHead(description);
  const descriptor = {
    ...provider.descriptor,
    operations: { ...operations, include: undefined, include_categories: undefined },
    spec: { ...spec, format, api_version: version, digest: digestOf(bytes), supplement: undefined, overlay: undefined },
  };
  return (await compileProvider({ ...provider, descriptor }, await overlaid(provider, description))).table;
}

/** Operations of our own supplement do not come and go with the vendor's description. */
const withoutSupplement = (table: OperationTable, supplemented: ReadonlySet<string>): OperationTable => ({
  ...table,
  operations: table.operations.filter(row => !supplemented.has(labelOf(row))),
});

/** @param side path of a description or a table, else the name of a provider. Throws USAGE where it is neither. */
export async function openTable(provider: ProviderFiles, side: string): Promise<OperationTable> {
  const supplemented = await supplementedLabels(provider);
  if (existsSync(side) && statSync(side).isFile()) {
    const bytes = await readDescriptionFile(side);
    if (!/^\{"file":\d/.test(bytes.toString('utf8', 0, 16))) return compileAny(provider, bytes);
    const read = readTable(bytes.toString('utf8'));
    if (!read.ok) throw new AppError('COMPILE_FAILED', `${side}: ${read.problem}`);
    return withoutSupplement(read.table, supplemented);
  }
  if (!(await providerNames()).some(({ name }) => name === side))
    throw new AppError('USAGE', `${side} is no file and no provider`, { next: 'Name a description, a table (optable.json) or a provider.' });
  return withoutSupplement(await loadTable(await loadProvider(side)), supplemented);
}
