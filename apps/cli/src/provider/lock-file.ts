/**
 * `weir.lock` beside a folder of providers: which files make each of them, by digest (PRV-5). A provider that extends another one
 * is made from the other's files too.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/kernel';
import { z } from 'zod';
import { PRUNED_FILE, TABLE_FILE } from './compile-provider.ts';
import { builtInRoot, DESCRIPTOR_FILE, ownRoot, type ProviderFiles, providerFile } from './provider-files.ts';
import { digestOf } from './read-description.ts';

export const LOCK_FILE = 'weir.lock';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const Entry = z.strictObject({
  /** Over the names and digests of the files. */
  digest,
  /** Path beside the lock -> digest; `built-in:` before a path that ships with Weir, for a lock of the operator's own. */
  files: z.record(z.string(), digest),
});
const Lock = z.strictObject({ version: z.literal(1), providers: z.record(z.string(), Entry) });

export type LockEntry = z.infer<typeof Entry>;
/** `<name>@<api_version>` -> what it is made from. */
export type LockEntries = Readonly<Record<string, LockEntry>>;

export const lockPath = (builtIn: boolean): string => path.join(builtIn ? builtInRoot() : ownRoot(), LOCK_FILE);
export const lockKey = ({ name, descriptor }: ProviderFiles): string => `${name}@${descriptor.spec.api_version}`;

/** Every file that the provider is made from. Throws COMPILE_FAILED where it has no table. */
function filesOf(provider: ProviderFiles): readonly string[] {
  const { descriptor, folder, name } = provider;
  const { overlay, supplement, source, commit_pruned } = descriptor.spec;
  const table = path.join(folder, TABLE_FILE);
  if (!existsSync(table))
    throw new AppError('COMPILE_FAILED', `${name} is not compiled, so there is nothing to lock`, { next: `Run: weir provider pin ${name}.` });
  const described = 'file' in source ? [path.resolve(folder, source.file)] : [];
  const named = [overlay, supplement, ...Object.values(descriptor.graphql?.documents ?? {}).map(document => document.file)];
  const descriptors: string[] = [];
  for (let at: ProviderFiles | undefined = provider; at !== undefined; at = at.parent) descriptors.push(path.join(at.folder, DESCRIPTOR_FILE));
  return [
    ...descriptors,
    table,
    ...(commit_pruned ? [path.join(folder, PRUNED_FILE)] : []),
    ...described.filter(existsSync),
    ...named.flatMap(file => (file === undefined ? [] : [providerFile(provider, file)])),
  ];
}

/** A digest that nobody computed: one digit, over and over. */
const isPlaceholder = (text: string): boolean => /^sha256:(.)\1*$/.test(text);

/** Throws DESCRIPTOR_INVALID where the pin is a placeholder, COMPILE_FAILED where a file of it is missing. */
export async function computeEntry(provider: ProviderFiles): Promise<LockEntry> {
  if (isPlaceholder(provider.descriptor.spec.digest))
    throw new AppError('DESCRIPTOR_INVALID', `${provider.name}: spec.digest is a placeholder`, { next: `Run: weir provider pin ${provider.name} --update.` });
  const root = provider.builtIn ? builtInRoot() : ownRoot();
  const files: Record<string, string> = {};
  for (const file of [...new Set(filesOf(provider))].sort()) {
    const beside = path.relative(root, file);
    const name = beside.startsWith('..') ? `built-in:${path.relative(builtInRoot(), file)}` : beside;
    if (!existsSync(file)) throw new AppError('COMPILE_FAILED', `${provider.name}: ${beside} is missing`, { next: `Run: weir provider pin ${provider.name}.` });
    files[name.replaceAll(path.sep, '/')] = digestOf(await readFile(file));
  }
  return { digest: entryDigest(files), files };
}

const entryDigest = (files: Readonly<Record<string, string>>): string =>
  digestOf(
    Object.entries(files)
      .map(([name, its]) => `${name} ${its}\n`)
      .join(''),
  );

export const lockText = (providers: LockEntries): string => `${JSON.stringify({ version: 1, providers }, null, 2)}\n`;

/** Undefined where there is no lock. Throws CONFIG_INVALID for one that is not of its form. */
export async function readLock(file: string): Promise<LockEntries | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    return Lock.parse(JSON.parse(await readFile(file, 'utf8'))).providers;
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `${file} is no lock`, { next: 'Restore it, or write it again: weir provider lock.', cause });
  }
}

/** What differs from an entry, in words; empty where nothing does. Placeholders in the lock count as differences. */
export function differences(locked: LockEntry, found: LockEntry): readonly string[] {
  const names = [...new Set([...Object.keys(locked.files), ...Object.keys(found.files)])].sort();
  const files = names.flatMap(name => {
    const [before, now] = [locked.files[name], found.files[name]];
    if (before === undefined) return [`${name} is not in the lock`];
    if (now === undefined) return [`${name} is in the lock and no file of the provider`];
    if (isPlaceholder(before)) return [`${name} has a placeholder in the lock`];
    return before === now ? [] : [`${name} differs`];
  });
  if (isPlaceholder(locked.digest)) return ['the digest in the lock is a placeholder', ...files];
  return files.length === 0 && locked.digest !== found.digest ? ['the digest in the lock is not that of its files'] : files;
}
