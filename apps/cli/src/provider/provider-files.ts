/**
 * The providers of this installation as files: built-in ones ship with Weir and are read-only, an operator's own stand in the
 * configuration directory.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProviderDescriptor } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { readDescriptor } from '@weir/provider-descriptor';
import { parse } from 'yaml';
import { configFile } from '../paths.ts';
import { assertPoliciesNameProviders, operatorPolicyFile, withOperatorPolicy } from './operator-policy.ts';

export interface ProviderFiles {
  readonly name: string;
  readonly folder: string;
  readonly builtIn: boolean;
  readonly descriptor: ProviderDescriptor;
  /** Merged with what it extends; the parent of another. */
  readonly tree: Readonly<Record<string, unknown>>;
  /** What it extends. */
  readonly parent?: ProviderFiles;
}

/** Descriptors that extend one another. */
const MAX_PARENTS = 4;
/** Bytes of one hand-written file of a provider. */
const MAX_FILE_BYTES = 1024 * 1024;
export const DESCRIPTOR_FILE = 'provider.yaml';

/** `descriptors/providers` of this installation, found upwards from the program, which may run from its bundle or its sources. */
export function builtInRoot(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'descriptors/providers');
    if (existsSync(candidate)) return candidate;
    if (path.dirname(folder) === folder)
      throw new AppError('CONFIG_INVALID', 'the descriptors of the built-in providers are missing', { next: 'Install Weir again.' });
  }
}

export const ownRoot = (): string => path.join(path.dirname(configFile()), 'providers');

/** Whether the built-in providers may be written: in a checkout of Weir by its maintainers, never in an installed package. */
export function builtInsAreWritable(): boolean {
  const root = builtInRoot();
  if (!existsSync(path.resolve(root, '../../.git'))) return false;
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws USAGE for a provider that this installation only reads. */
export function assertWritable({ name, builtIn }: Pick<ProviderFiles, 'name' | 'builtIn'>): void {
  if (!builtIn || builtInsAreWritable()) return;
  throw new AppError('USAGE', `${name} is built in and read-only: it changes in a checkout of Weir alone`, {
    next: `Make one of your own from it: weir provider add <name> --extends ${name}.`,
  });
}

/** A file that the descriptor names: its own, else that of what it extends. Throws DESCRIPTOR_INVALID where it is in none of their folders. */
export function providerFile(provider: ProviderFiles, file: string): string {
  for (let at: ProviderFiles | undefined = provider; at !== undefined; at = at.parent) {
    const candidate = path.join(at.folder, file);
    if (existsSync(candidate)) return candidate;
  }
  throw new AppError('DESCRIPTOR_INVALID', `the descriptor of ${provider.name} names ${file}, which is not there`, {
    next: `Put it into ${provider.folder}, or take the name out of the descriptor.`,
  });
}

const namesIn = async (root: string): Promise<readonly string[]> =>
  existsSync(root) ? (await readdir(root)).filter(name => existsSync(path.join(root, name, DESCRIPTOR_FILE))).sort() : [];

/** Every provider's name, with whether it is built in. A name that is built in cannot be taken by an operator's own. */
export async function providerNames(): Promise<readonly { readonly name: string; readonly builtIn: boolean }[]> {
  const builtIn = await namesIn(builtInRoot());
  const own = (await namesIn(ownRoot())).filter(name => !builtIn.includes(name));
  return [...builtIn.map(name => ({ name, builtIn: true })), ...own.map(name => ({ name, builtIn: false }))];
}

/** Reads a hand-written file of a provider as YAML or JSON. Undefined where it is not there. */
export async function readTree(file: string): Promise<unknown> {
  if (!existsSync(file)) return undefined;
  const text = await readFile(file, 'utf8');
  if (text.length > MAX_FILE_BYTES) throw new AppError('DESCRIPTOR_INVALID', `${file} is larger than ${MAX_FILE_BYTES} bytes`);
  try {
    return parse(text);
  } catch (cause) {
    throw new AppError('DESCRIPTOR_INVALID', `${file} is not YAML: ${cause instanceof Error ? cause.message.split('\n')[0] : 'cannot be read'}`, { cause });
  }
}

/**
 * Loads a provider with the operator's policy on top. Throws USAGE for a name that is not there, DESCRIPTOR_INVALID with every problem
 * of its descriptor or of its policy.
 */
export async function loadProvider(name: string): Promise<ProviderFiles> {
  const files = await readProviderFiles(name, 0);
  await assertPoliciesNameProviders((await providerNames()).map(provider => provider.name));
  return { ...files, descriptor: withOperatorPolicy(files.descriptor, files.tree, await readTree(operatorPolicyFile(name))) };
}

async function readProviderFiles(name: string, depth: number): Promise<ProviderFiles> {
  const known = (await providerNames()).find(candidate => candidate.name === name);
  if (known === undefined) throw new AppError('USAGE', `there is no provider ${name}`, { next: 'List them with `weir provider list`.' });
  const folder = path.join(known.builtIn ? builtInRoot() : ownRoot(), name);
  const tree = await readTree(path.join(folder, DESCRIPTOR_FILE));
  const parentName = typeof tree === 'object' && tree !== null && 'extends' in tree ? String(tree.extends) : undefined;
  if (depth >= MAX_PARENTS) throw new AppError('DESCRIPTOR_INVALID', `${name} extends too many descriptors, or itself`);
  const parent = parentName === undefined ? undefined : await readProviderFiles(parentName, depth + 1);
  const reading = readDescriptor(tree, parent === undefined ? {} : { parent: parent.tree });
  const files = { name, folder, builtIn: known.builtIn, ...(parent === undefined ? {} : { parent }) };
  if (reading.ok) return { ...files, descriptor: reading.descriptor, tree: reading.tree };
  const lines = reading.problems.map(
    ({ path: place, message, suggestion }) => `${place || 'descriptor'}: ${message}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`,
  );
  throw new AppError('DESCRIPTOR_INVALID', `${path.join(folder, DESCRIPTOR_FILE)}:\n${lines.join('\n')}`);
}
