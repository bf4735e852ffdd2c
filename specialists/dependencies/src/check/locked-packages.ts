/** What a lockfile's changed entries bring in: other places, other checksums for one version, scripts on install. */
import type { Finding } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { findingOf, touchedLines } from '@weir/specialist-kit';
import { type ChangeReader, MAX_LOCK_CHARS } from '../change-reader.ts';
import { lockOf } from '../ecosystems.ts';
import type { LockedPackage } from '../lock/locked-package.ts';
import { FILE_VERSION } from '../lock/text-packages.ts';
import { INSTALL_SCRIPT, LOCKFILE_FOREIGN_REGISTRY, LOCKFILE_INTEGRITY } from '../rules.ts';
import { isPlain } from '../spec-source.ts';
import { nameList } from './name-list.ts';

interface LockChange {
  /** False where the diff alone is seen. */
  readonly whole: boolean;
  readonly file: DiffFile;
  readonly touched: ReadonlySet<number>;
  readonly base: readonly LockedPackage[];
  readonly head: readonly LockedPackage[];
}

const idOf = ({ name, version }: LockedPackage): string => `${name}@${version}`;
/** An entry for people. */
const labelOf = (found: LockedPackage): string => (found.version === FILE_VERSION || found.version === '' ? found.name || 'an entry' : idOf(found));

/** Packages by `name@version`; entries whose name or version is out of view are left out. */
const byId = (packages: readonly LockedPackage[]): ReadonlyMap<string, readonly LockedPackage[]> => {
  const groups = new Map<string, LockedPackage[]>();
  for (const found of packages) {
    if (found.name === '' || found.version === '') continue;
    const group = groups.get(idOf(found)) ?? [];
    group.push(found);
    groups.set(idOf(found), group);
  }
  return groups;
};

/** Where the package managers go unless told otherwise; what else a lockfile uses is not shown by a few hunks. */
const DEFAULT_REGISTRIES = ['registry.npmjs.org', 'github.com', 'index.crates.io', 'pypi.org', 'files.pythonhosted.org'];
/** Hosts that serve one registry. */
const SAME_REGISTRY: Readonly<Record<string, string>> = { 'registry.yarnpkg.com': 'registry.npmjs.org' };
const HOST = /^(?:([a-z+]+)\+)?(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:?#]+)/i;

/** Where a source leads: a host, `git host` for a repository; null where it names none (a folder, the default registry). */
const originOf = (source: string): string | null => {
  const found = HOST.exec(source);
  if (found === null) return null;
  const host = (found[2] ?? '').toLowerCase();
  const repository = found[1]?.startsWith('git') === true || /^(?:git|ssh):/.test(source) || host === 'codeload.github.com';
  return repository ? `git ${host}` : (SAME_REGISTRY[host] ?? host);
};

/** Origins that count as the lockfile's own: those of before, and the one that more than half of its entries use now. */
const knownOrigins = ({ base, head, whole }: LockChange): ReadonlySet<string> => {
  const known = new Set(base.flatMap(found => originOf(found.source) ?? []));
  const counts = new Map<string, number>();
  for (const found of head) {
    const origin = originOf(found.source);
    if (origin !== null) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const [origin, count] of counts) if (count * 2 > total && total > 1) known.add(origin);
  if (!whole && known.size > 0) for (const origin of DEFAULT_REGISTRIES) known.add(origin);
  return known;
};

const foreign = (change: LockChange, explained: ReadonlySet<string>): Finding[] => {
  const known = knownOrigins(change);
  if (known.size === 0) return [];
  const before = byId(change.base);
  const groups = new Map<string, LockedPackage[]>();
  for (const found of change.head) {
    const origin = originOf(found.source);
    if (origin === null || !change.touched.has(found.sourceLine) || explained.has(found.name) || known.has(origin)) continue;
    groups.set(origin, [...(groups.get(origin) ?? []), found]);
  }
  return [...groups].map(([origin, found]) => {
    const verified = found.every(
      ({ integrity, ...rest }) => integrity !== '' && before.get(idOf({ integrity, ...rest }))?.some(old => old.integrity === integrity) === true,
    );
    const severity = verified || origin.startsWith('git ') || change.base.length === 0 ? 'minor' : 'major';
    const message = `${nameList(found.map(labelOf))} now resolves to ${origin}, which no other entry of this lockfile uses.`;
    return findingOf(LOCKFILE_FOREIGN_REGISTRY, change.file, { line: found[0]?.sourceLine ?? 0, severity, message });
  });
};

const unencrypted = (change: LockChange): Finding[] => {
  const before = new Set(change.base.map(found => found.source));
  const found = change.head.filter(({ source, sourceLine }) => isPlain(source) && change.touched.has(sourceLine) && !before.has(source));
  const [first] = found;
  if (first === undefined) return [];
  const message = `${nameList(found.map(labelOf))} is fetched over an unencrypted address, which anyone on the way can answer.`;
  return [findingOf(LOCKFILE_FOREIGN_REGISTRY, change.file, { line: first.sourceLine, title: 'A lockfile entry is fetched unencrypted', message })];
};

/** Digests by algorithm: `sha512-…`, `sha256:…`, `h1:…`, yarn's `<cache key>/…`; bare hex stands for itself. */
const digests = (integrity: string): ReadonlyMap<string, string> =>
  new Map(
    integrity.split(/\s+/).map(part => {
      const found = /^([A-Za-z0-9]+)[-:/](.+)$/.exec(part);
      return found === null ? ['hex', part] : [found[1] ?? '', found[2] ?? ''];
    }),
  );

const STRENGTH: Readonly<Record<string, number>> = { md5: 0, sha1: 1, sha256: 2, sha384: 3, sha512: 4 };
const strengthOf = (integrity: string): number => Math.max(...[...digests(integrity).keys()].map(name => STRENGTH[name] ?? 9));

type Fault = 'changed' | 'weaker' | 'removed';

/** A registry never changes what it serves under one version; a repository's archive or a local file may. */
const isImmutable = (source: string): boolean => !source.startsWith('file:') && originOf(source)?.startsWith('git ') !== true;

const faultOf = (old: LockedPackage, found: LockedPackage): Fault | null => {
  if (old.integrity === '' || old.integrity === found.integrity || !isImmutable(old.source) || !isImmutable(found.source)) return null;
  if (found.integrity === '') return found.source === '' ? null : 'removed';
  const [before, after] = [digests(old.integrity), digests(found.integrity)];
  for (const [algorithm, digest] of after) if (before.has(algorithm) && before.get(algorithm) !== digest) return 'changed';
  return strengthOf(found.integrity) < strengthOf(old.integrity) ? 'weaker' : null;
};

const FAULTS: Readonly<Record<Fault, { readonly severity: 'blocker' | 'major'; readonly title: string; readonly says: string }>> = {
  changed: {
    severity: 'blocker',
    title: LOCKFILE_INTEGRITY.title,
    says: 'keeps its version and gets another checksum: other code would be installed under the same version',
  },
  weaker: { severity: 'major', title: 'A checksum in the lockfile becomes weaker', says: 'keeps its version and gets a checksum of a weaker algorithm' },
  removed: {
    severity: 'major',
    title: 'A checksum is taken out of the lockfile',
    says: 'keeps its version and loses its checksum, so what is fetched is no longer compared',
  },
};

interface Faulty {
  readonly found: LockedPackage;
  readonly old: LockedPackage;
  readonly fault: Fault;
}

/** Entries that keep their version and not their checksum, as far as the change touches them. */
const faultyEntries = ({ base, head, touched }: LockChange): readonly Faulty[] => {
  const before = byId(base);
  return head.flatMap(found => {
    const known = before.get(idOf(found)) ?? [];
    // A version that stands twice is settled if one of its old checksums is the same now.
    if (known.some(entry => entry.integrity === found.integrity)) return [];
    const [first] = known.flatMap(old => {
      const fault = faultOf(old, found);
      return fault === null || (fault !== 'removed' && !touched.has(found.integrityLine)) ? [] : [{ found, old, fault }];
    });
    return first === undefined ? [] : [first];
  });
};

const integrity = (change: LockChange): Finding[] => {
  const faulty = faultyEntries(change);
  return (['changed', 'weaker', 'removed'] as const).flatMap(fault => {
    const all = faulty.filter(entry => entry.fault === fault);
    const [first] = all;
    if (first === undefined) return [];
    const { severity, title, says } = FAULTS[fault];
    const place = fault === 'removed' ? { line: first.old.integrityLine, side: 'old' as const } : { line: first.found.integrityLine };
    return [findingOf(LOCKFILE_INTEGRITY, change.file, { ...place, severity, title, message: `${nameList(all.map(({ found }) => labelOf(found)))} ${says}.` })];
  });
};

const scripts = (change: LockChange): Finding[] => {
  const before = new Set(change.base.filter(found => found.installScript).map(found => found.name));
  const found = change.head.filter(entry => entry.installScript && entry.name !== '' && change.touched.has(entry.scriptLine) && !before.has(entry.name));
  const [first] = found;
  if (first === undefined) return [];
  const message = `The lockfile marks ${nameList(found.map(labelOf))} as running scripts on install; before the change it did not.`;
  return [findingOf(INSTALL_SCRIPT, change.file, { line: first.scriptLine, severity: 'minor', title: 'A locked package runs a script on install', message })];
};

/**
 * Findings about the entries of one lockfile, at most one for each kind of fault.
 * @param explained names whose foreign source a manifest of the change states itself.
 */
export const checkLockedPackages = async (reader: ChangeReader, file: DiffFile, explained: ReadonlySet<string>): Promise<readonly Finding[]> => {
  const read = lockOf(pathOf(file))?.lock.packages;
  if (read === undefined || file.newPath === null || file.binary) return [];
  const sides = await reader.sides(file, MAX_LOCK_CHARS);
  if (sides === null) return [];
  const change: LockChange = {
    file,
    whole: sides.new.every(piece => piece.whole),
    touched: touchedLines(file),
    base: read(sides.old),
    head: read(sides.new),
  };
  return [...unencrypted(change), ...foreign(change, explained), ...integrity(change), ...scripts(change)];
};
