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

export const openPnpmLock: OpenLock = lockText => {
  const members = pnpmMembers(lockText);
  const importers = new Set<string>();
  const overrides = new Map<string, string>();
  let [listed, apart] = [false, false];
  for (const { path, key, value } of walkYaml(wholePiece(pnpmHead(lockText)).lines)) {
    const [top] = path;
    if (top === undefined && key === 'importers') listed = true;
    if (key === 'specifiers') apart = true;
    if (top === 'importers' && path.length === 1) importers.add(key === '.' ? '' : key);
    if (top === 'overrides' && path.length === 1) overrides.set(key, value);
  }
  // Version 5 keeps `specifiers` apart from the sections.
  if (apart) return noMember;
  return ({ member }) => {
    if (listed ? !importers.has(member) : member !== '') return null;
    const recorded = recordedRanges(members.get(member) ?? []);
    return change => {
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
