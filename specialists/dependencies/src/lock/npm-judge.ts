/**
 * package-lock.json against package.json. Versions 2 and 3 repeat each member's ranges under `packages[<folder>]`;
 * version 1 has locked versions alone (docs.npmjs.com "package-lock.json").
 * `npm ci` fails when a range has no locked version that fits; a range that is only recorded otherwise is rewritten.
 */
import semver from 'semver';
import type { EntryChange } from '../dependency-entry.ts';
import { workspaceFits } from '../repository-path.ts';
import { nameOfLockPath } from './json-packages.ts';
import { type Difference, type Judge, major, type ManifestPlace, minor, noMember, type OpenedLock, type OpenLock } from './judge.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const objectAt = (value: unknown, key: string): JsonObject | undefined => {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
};
const textAt = (value: unknown, key: string): string | undefined => {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
};

const parseObject = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Whether a locked version satisfies a range; an alias is judged by its own range. */
const fits = (version: string | undefined, spec: string): boolean => {
  const range = spec.startsWith('npm:') ? spec.slice(spec.lastIndexOf('@') + 1) : spec;
  return version !== undefined && semver.validRange(range) !== null && semver.satisfies(version, range);
};

const RECORDED = new Set(['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']);

const patternsOf = (root: JsonObject | undefined): readonly string[] => {
  const listed = root?.workspaces;
  const list = isObject(listed) ? listed.packages : listed;
  return Array.isArray(list) ? list.filter(item => typeof item === 'string') : [];
};

/** Locked versions by package name, over the whole tree. */
const versionsByName = (packages: JsonObject): ReadonlyMap<string, readonly string[]> => {
  const versions = new Map<string, string[]>();
  for (const path of Object.keys(packages)) {
    const version = textAt(packages[path], 'version');
    if (!path.includes('node_modules/') || version === undefined) continue;
    const name = nameOfLockPath(path);
    versions.set(name, [...(versions.get(name) ?? []).slice(0, 20), version]);
  }
  return versions;
};

/** A plain override fits when every locked version of its target does; one that targets nothing has no effect. */
const judgeOverride = (locked: readonly string[], { name, after }: EntryChange): Difference | null => {
  if (after === null || name.includes('>') || name.includes('@', 1) || semver.validRange(after) === null) return null;
  return locked.every(version => fits(version, after)) ? null : minor(`is locked at ${locked.join(', ')}`);
};

const judgeWorkspace = (me: JsonObject, change: EntryChange): Difference | null => {
  const listed = patternsOf(me).includes(change.name);
  return listed === (change.after !== null) ? null : minor(listed ? 'is still listed as a workspace there' : 'is not listed as a workspace there');
};

const isAlsoOptional = (place: ManifestPlace, { section, name }: EntryChange): boolean =>
  section === 'dependencies' && place.manifest.entries.some(entry => entry.section === 'optionalDependencies' && entry.name === name);

/** Version of a name as a member sees it: nested below it or shared; a link leads to the workspace's own entry. */
const lockedVersion = (packages: JsonObject, member: string, name: string): string | undefined => {
  const nested = member === '' ? undefined : objectAt(packages, `${member}/node_modules/${name}`);
  const found = nested ?? objectAt(packages, `node_modules/${name}`);
  return found?.link === true ? textAt(objectAt(packages, textAt(found, 'resolved') ?? ''), 'version') : textAt(found, 'version');
};

const judgeRecorded = (packages: JsonObject, me: JsonObject, place: ManifestPlace, change: EntryChange): Difference | null => {
  const recorded = textAt(objectAt(me, change.section), change.name);
  if (recorded === (change.after ?? undefined) || isAlsoOptional(place, change)) return null;
  if (change.after === null) return minor(`is still recorded there as ${recorded}`);
  const locked = lockedVersion(packages, place.member, change.name);
  const detail = recorded === undefined ? 'is not recorded there' : `is recorded there as ${recorded}`;
  if (fits(locked, change.after)) return minor(`${detail}; the locked version ${locked} fits`);
  const lenient = change.section === 'peerDependencies';
  return { severity: lenient ? 'minor' : 'major', detail: locked === undefined ? detail : `${detail}, locked at ${locked}` };
};

const missingMember: Judge = ({ section, after }) => (RECORDED.has(section) && after !== null ? major('belongs to a workspace that is missing from it') : null);

const openTree = (packages: JsonObject): OpenedLock => {
  const patterns = patternsOf(objectAt(packages, ''));
  let versions: ReadonlyMap<string, readonly string[]> | undefined;
  return place => {
    const me = objectAt(packages, place.member);
    if (me === undefined) return patterns.some(pattern => workspaceFits(pattern, place.member)) ? missingMember : null;
    return change => {
      if (change.section === 'overrides') {
        versions ??= versionsByName(packages);
        return judgeOverride(versions.get(change.name) ?? [], change);
      }
      if (change.section === 'workspaces') return judgeWorkspace(me, change);
      return RECORDED.has(change.section) ? judgeRecorded(packages, me, place, change) : null;
    };
  };
};

const judgeFirstVersion =
  (locked: JsonObject): Judge =>
  ({ section, name, after }) => {
    if (after === null || !RECORDED.has(section) || section === 'peerDependencies') return null;
    const version = textAt(objectAt(locked, name), 'version');
    if (version === undefined) return major('is missing from it');
    return semver.validRange(after) === null || semver.valid(version) === null || fits(version, after) ? null : major(`is locked at ${version}`);
  };

export const openNpmLock: OpenLock = lockText => {
  const document = parseObject(lockText);
  const packages = objectAt(document, 'packages');
  if (packages !== undefined) return openTree(packages);
  const dependencies = objectAt(document, 'dependencies');
  return dependencies === undefined ? noMember : ({ member }) => (member === '' ? judgeFirstVersion(dependencies) : null);
};
