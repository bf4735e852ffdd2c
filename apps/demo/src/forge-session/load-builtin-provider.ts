/** A built-in provider as its files hold it, for the demonstrations: descriptor, compiled table, persisted documents. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProviderDescriptor } from '@weir/contract';
import { type OperationTable, readTable } from '@weir/operation-table';
import { readDescriptor } from '@weir/provider-descriptor';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../../../../descriptors/providers');

export interface BuiltinProvider {
  readonly descriptor: ProviderDescriptor;
  readonly table: OperationTable;
  readonly documents: ReadonlyMap<string, string>;
}

const treeOf = (name: string): Record<string, unknown> => parse(readFileSync(path.join(ROOT, name, 'provider.yaml'), 'utf8')) as Record<string, unknown>;

/** Throws with every problem of the files. */
export function loadBuiltinProvider(name: string): BuiltinProvider {
  const own = treeOf(name);
  const base = own['extends'];
  const reading = readDescriptor(own, typeof base === 'string' ? { parent: treeOf(base) } : {});
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const read = readTable(readFileSync(path.join(ROOT, name, 'optable.json'), 'utf8'));
  if (!read.ok) throw new Error(read.problem);
  const documents = Object.entries(reading.descriptor.graphql?.documents ?? {});
  return {
    descriptor: reading.descriptor,
    table: read.table,
    documents: new Map(documents.map(([key, { file }]) => [key, readFileSync(path.join(ROOT, name, file), 'utf8')])),
  };
}
