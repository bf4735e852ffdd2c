/**
 * Lockfiles that repeat each member's ranges and whose frozen install refuses any difference: pnpm-lock.yaml, bun.lock
 * and yarn.lock of yarn 2 and later.
 */
import { wholePiece } from '../piece.ts';
import { walkYaml } from '../yaml-walk.ts';
import { type Difference, major, noMember, type OpenLock, rangeIn, recordedRanges } from './judge.ts';
import { bunMembers, pnpmHead, pnpmMembers } from './lock-members.ts';
import { openYarnClassicLock } from './yarn-classic-judge.ts';

const INSTALLED = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** What is recorded against what is asked for; undefined and null stand for nothing. */
const differenceOf = (known: string | undefined, after: string | null): Difference | null => {
  if (known === (after ?? undefined)) return null;
  if (after === null) return major(`is still recorded there as ${known}`);
  return major(known === undefined ? 'is not recorded there' : `is recorded there as ${known}`);
};

const overrideDifference = (known: string | undefined, after: string | null): Difference | null => {
  // `$name` and `catalog:` are written resolved.
  return after?.startsWith('$') === true || after?.startsWith('catalog:') === true ? null : differenceOf(known, after);
};

/** The catalog that a section of pnpm-workspace.yaml states; null for other sections. */
const catalogOf = (section: string): string | null => {
  if (section === 'catalog') return 'default';
  return section.startsWith('catalogs.') ? section.slice('catalogs.'.length) : null;
};

/** Only entries that some member uses are recorded. */
const catalogDifference = (known: string | undefined, after: string | null): Difference | null => (known === undefined ? null : differenceOf(known, after));

interface PnpmRecord {
  /** Folders of the members; null where a lone project has no list. */
  readonly importers: ReadonlySet<string> | null;
  readonly overrides: ReadonlyMap<string, string>;
  /** Ranges by catalog and name. */
  readonly catalogs: ReadonlyMap<string, string>;
}

/** Null for version 5, which keeps `specifiers` apart from the sections. */
const readPnpmRecord = (lockText: string): PnpmRecord | null => {
  const importers = new Set<string>();
  const overrides = new Map<string, string>();
  const catalogs = new Map<string, string>();
  let listed = false;
  for (const { path, key, value } of walkYaml(wholePiece(pnpmHead(lockText)).lines)) {
    const place = `${path[0] ?? ''} ${path.length}`;
    if (key === 'specifiers') return null;
    if (path.length === 0 && key === 'importers') listed = true;
    if (place === 'importers 1') importers.add(key === '.' ? '' : key);
    if (place === 'overrides 1') overrides.set(key, value);
    if (place === 'catalogs 3' && key === 'specifier') catalogs.set(path.slice(1).join('\0'), value);
  }
  return { importers: listed ? importers : null, overrides, catalogs };
};

export const openPnpmLock: OpenLock = lockText => {
  const record = readPnpmRecord(lockText);
  if (record === null) return noMember;
  const { importers, overrides, catalogs } = record;
  const members = pnpmMembers(lockText);
  return ({ member }) => {
    if (importers === null ? member !== '' : !importers.has(member)) return null;
    const recorded = recordedRanges(members.get(member) ?? []);
    return change => {
      const catalog = catalogOf(change.section);
      if (catalog !== null) return catalogDifference(catalogs.get(`${catalog}\0${change.name}`), change.after);
      if (change.section === 'pnpm.overrides') return overrideDifference(overrides.get(change.name), change.after);
      // A direct dependency that an override pins is recorded with the override's range.
      return INSTALLED.includes(change.section) && !overrides.has(change.name) ? differenceOf(rangeIn(recorded, change), change.after) : null;
    };
  };
};

const BUN_SECTIONS = [...INSTALLED, 'peerDependencies'];

export const openBunLock: OpenLock = lockText => {
  const members = bunMembers(lockText);
  return ({ member }) => {
    const entries = members.get(member);
    if (entries === undefined && member !== '') return null;
    const recorded = recordedRanges(entries ?? []);
    return change => (BUN_SECTIONS.includes(change.section) ? differenceOf(rangeIn(recorded, change), change.after) : null);
  };
};

const withoutProtocol = (spec: string): string => spec.replace(/^npm:/, '');

const WORKSPACE = '@workspace:';

/** Ranges by the folders of the workspaces: yarn merges the sections of each into one, with `npm:` before each range. */
const berryWorkspaces = (lockText: string): ReadonlyMap<string, ReadonlyMap<string, string>> => {
  const workspaces = new Map<string, Map<string, string>>();
  for (const { path, key, value } of walkYaml(wholePiece(lockText).lines)) {
    const header = path[0] ?? key;
    if (!header.includes(WORKSPACE)) continue;
    for (const descriptor of header.split(', ')) {
      const folder = descriptor.slice(descriptor.indexOf(WORKSPACE) + WORKSPACE.length);
      const ranges = workspaces.get(folder) ?? new Map<string, string>();
      workspaces.set(folder, ranges);
      if (path.length === 2 && path[1] === 'dependencies') ranges.set(key, withoutProtocol(value));
    }
  }
  return workspaces;
};

const openYarnBerryLock: OpenLock = lockText => {
  const workspaces = berryWorkspaces(lockText);
  return ({ member, manifest }) => {
    const recorded = workspaces.get(member === '' ? '.' : member);
    if (recorded === undefined) return null;
    const installed = new Set(manifest.entries.filter(entry => INSTALLED.includes(entry.section)).map(entry => entry.name));
    return change => {
      if (!INSTALLED.includes(change.section) || (change.after === null && installed.has(change.name))) return null;
      const range = recorded.get(change.name);
      const after = change.after === null ? null : withoutProtocol(change.after);
      // Other protocols are written in a normal form of yarn's own.
      return range !== undefined && after?.includes(':') === true ? null : differenceOf(range, after);
    };
  };
};

export const openYarnLock: OpenLock = lockText => (/^__metadata:/m.test(lockText) ? openYarnBerryLock(lockText) : openYarnClassicLock(lockText));
