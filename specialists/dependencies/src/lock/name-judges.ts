/**
 * Lockfiles without the manifest's ranges. Some hold a hash over the manifest's dependencies, so that every change has
 * to change them too; others hold names and versions alone, and only a name or version that is missing is certain.
 */
import semver from 'semver';
import type { EntryChange } from '../dependency-entry.ts';
import { normalizedPythonName } from '../manifest/requirement.ts';
import { wholePiece } from '../piece.ts';
import { sourceOf } from '../spec-source.ts';
import { walkYaml } from '../yaml-walk.ts';
import { type Difference, type Judge, major, type ManifestPlace, noMember, type OpenLock } from './judge.ts';
import { readTomlPackages } from './text-packages.ts';

type NamesOf = (lockText: string) => ReadonlySet<string>;

const textsOf = (lockText: string, pattern: RegExp, normalize: (name: string) => string): ReadonlySet<string> =>
  new Set([...lockText.matchAll(pattern)].map(found => normalize(found[1] ?? '')));

const same = (name: string): string => name;
const lower = (name: string): string => name.toLowerCase();
const tomlNames: NamesOf = text => textsOf(text, /^name = "([^"\n]+)"/gm, normalizedPythonName);
const jsonKeys: NamesOf = text => textsOf(text, /^[ \t]+"([^"\n]+)": \{/gm, normalizedPythonName);
const composerNames: NamesOf = text => textsOf(text, /^[ \t]+"name": "([^"\n]+)"/gm, lower);
const nugetNames: NamesOf = text => textsOf(text, /^[ \t]+"([^"\n]+)": \{/gm, lower);
const mixNames: NamesOf = text => textsOf(text, /^[ \t]+"([^"\n]+)": \{/gm, same);
const pubNames: NamesOf = text => textsOf(text, /^ {2}([a-z_][a-z0-9_]*):/gm, same);

/** Requirements of the platform, which no lockfile pins. */
const PLATFORM = /^(?:python|php|hhvm|composer(?:-plugin-api|-runtime-api)?|(?:ext|lib)-.*)$/;
/** Sections whose entries do not ask for a package. */
const NOT_ASKED = new Set(['repositories', 'source', 'PackageVersion', 'tool.uv.sources']);

const missing = (names: ReadonlySet<string>, { name, section, before, after }: EntryChange): Difference | null => {
  const asked = after !== null && before === null && !NOT_ASKED.has(section) && !PLATFORM.test(name) && sourceOf(after, false)?.kind !== 'local';
  return asked && !after.startsWith('workspace:') && !names.has(lower(name)) ? major('is missing from it') : null;
};

const judgeHashed =
  (names: ReadonlySet<string>, lockChanged: boolean): Judge =>
  change =>
    lockChanged ? missing(names, change) : major('changed, and it was not written again');

/** A lockfile that changes with every change of the manifest's dependencies; beside its manifest alone. */
const hashed =
  (namesOf: NamesOf): OpenLock =>
  lockText => {
    const names = namesOf(lockText);
    return ({ lockChanged, member }) => (member === '' ? judgeHashed(names, lockChanged) : null);
  };

/** A lockfile of names and versions: a changed range may still fit. */
const named =
  (namesOf: NamesOf): OpenLock =>
  lockText => {
    const names = namesOf(lockText);
    return ({ member }) => (member === '' ? change => missing(names, change) : null);
  };

/** `1.2` in Cargo means `^1.2`; parts are joined by commas (doc.rust-lang.org/cargo "Specifying Dependencies"). */
const cargoRange = (requirement: string): string =>
  requirement
    .split(',')
    .map(part => part.trim())
    .map(part => (/^\d/.test(part) && !part.includes('*') ? `^${part}` : part))
    .join(' ');

/** Locked versions of one crate that are compared; more stand in no real lockfile. */
const MAX_VERSIONS = 50;

const LOCAL_CRATE = /^(?:file:|workspace:)/;

const judgeCrate = (versions: ReadonlyMap<string, readonly string[]>, { section, name, after }: EntryChange): Difference | null => {
  if (after === null || LOCAL_CRATE.test(after) || section.startsWith('patch.') || section === 'workspace.dependencies') return null;
  const locked = versions.get(name);
  if (locked === undefined) return major('is missing from it');
  const range = cargoRange(after);
  if (semver.validRange(range) === null || locked.some(version => semver.satisfies(version, range, { includePrerelease: true }))) return null;
  return major(`is locked at ${locked.join(', ')}`);
};

/** Cargo.lock lists the workspace's own crates without a source; a manifest whose crate is not there is no member. */
const openCargoLock: OpenLock = lockText => {
  const packages = readTomlPackages([wholePiece(lockText)]).filter(found => found.name !== '');
  const versions = new Map<string, readonly string[]>();
  for (const { name, version } of packages) versions.set(name, [...(versions.get(name) ?? []), version].slice(0, MAX_VERSIONS));
  const own = new Set(packages.filter(found => found.source === '').map(found => found.name));
  return ({ manifest, member }) => (member === '' || own.has(manifest.name ?? '') ? change => judgeCrate(versions, change) : null);
};

/** `uv.lock` repeats every requirement; it serves the project beside it and the members that it names. */
const openUvLock: OpenLock = lockText => {
  const names = tomlNames(lockText);
  return ({ member, manifest, lockChanged }) =>
    member === '' || names.has(normalizedPythonName(manifest.name ?? '')) ? judgeHashed(names, lockChanged) : null;
};

const replacedModules = ({ manifest }: ManifestPlace): ReadonlySet<string> =>
  new Set(manifest.entries.filter(entry => entry.section === 'replace').map(entry => entry.name.split(' ')[0] ?? ''));

/** go.sum needs `module version/go.mod` for each module that go.mod requires (go.dev/ref/mod "go.sum files"). */
const openGoSum: OpenLock = lockText => {
  const lines = new Set(lockText.split('\n').map(line => line.split(' ').slice(0, 2).join(' ')));
  return place => {
    const replaced = replacedModules(place);
    return ({ section, name, after }) => {
      if (section !== 'require' || after === null || replaced.has(name)) return null;
      return lines.has(`${name} ${after}/go.mod`) || lines.has(`${name} ${after}`) ? null : major(`has no sum for ${after} there`);
    };
  };
};

/** Requirements as a set of normal forms: `1.0` is `= 1.0`, order does not count. */
const gemRequirements = (text: string): string =>
  text
    .split(',')
    .map(part =>
      part
        .trim()
        .replace(/^(?=\d)/, '= ')
        .replace(/^([~><=!]+)(?=\d)/, '$1 '),
    )
    .filter(part => part !== '' && part !== '>= 0')
    .sort()
    .join(', ');

/** The DEPENDENCIES block of Gemfile.lock repeats each gem's requirement (bundler.io "Gemfile.lock"). */
const openGemfileLock: OpenLock = lockText => {
  const start = lockText.indexOf('\nDEPENDENCIES\n');
  if (start < 0) return noMember;
  const block = lockText.slice(start + 14).split('\n\n')[0] ?? '';
  const recorded = new Map<string, string>();
  for (const found of block.matchAll(/^ {2}([^\s!(]+)(?: \(([^)\n]*)\))?!?$/gm)) recorded.set(found[1] ?? '', gemRequirements(found[2] ?? ''));
  return () =>
    ({ section, name, after }) => {
      if (section !== 'gem' || after === null) return null;
      const known = recorded.get(name);
      if (known === undefined) return major('is missing from it');
      return sourceOf(after, false) !== null || known === gemRequirements(after) ? null : major(`is recorded there as ${known === '' ? 'any version' : known}`);
    };
};

/** pubspec.lock pins versions; a changed range may still fit. */
const openPubLock: OpenLock = lockText => {
  const names = pubNames(lockText);
  const versions = new Map<string, string>();
  for (const { path, key, value } of walkYaml(wholePiece(lockText).lines))
    if (path.length === 2 && path[0] === 'packages' && key === 'version') versions.set(path[1] ?? '', value);
  const sections = ['dependencies', 'dev_dependencies', 'dependency_overrides'];
  return () => change => {
    if (!sections.includes(change.section) || change.after === null) return null;
    const locked = versions.get(change.name);
    const range = semver.validRange(change.after);
    if (locked === undefined || range === null || change.after === '') return missing(names, change);
    return semver.satisfies(locked, range, { includePrerelease: true }) ? null : major(`is locked at ${locked}`);
  };
};

const openTomlHashLock: OpenLock = hashed(tomlNames);
const openPipfileLock: OpenLock = hashed(jsonKeys);
const openComposerLock: OpenLock = hashed(composerNames);
const openNugetLock: OpenLock = named(nugetNames);
const openMixLock: OpenLock = named(mixNames);

export { openCargoLock, openComposerLock, openGemfileLock, openGoSum, openMixLock, openNugetLock, openPipfileLock, openPubLock, openTomlHashLock, openUvLock };
