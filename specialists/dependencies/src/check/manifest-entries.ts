/** What an added or altered entry of a manifest brings in by itself: foreign sources, open ranges, scripts on install. */
import type { Finding, Severity } from '@weir/contract';
import { findingOf } from '@weir/specialist-kit';
import type { EntryChange } from '../dependency-entry.ts';
import type { ManifestChange } from '../manifest/manifest-change.ts';
import { folderOf, resolved } from '../repository-path.ts';
import { GIT_OR_URL_DEPENDENCY, INSTALL_SCRIPT, UNBOUNDED_RANGE } from '../rules.ts';
import { isPlain, type SpecSource, sourceOf } from '../spec-source.ts';

type Stated = EntryChange & { readonly after: string };

/** Entries that stand on an added line. One that only moved to another section is not new. */
export const statedEntries = ({ changes, touched, base }: ManifestChange): readonly Stated[] => {
  const before = new Set(base.entries.map(entry => `${entry.name}\0${entry.spec}`));
  return changes.filter((change): change is Stated => change.after !== null && touched.has(change.line) && !before.has(`${change.name}\0${change.after}`));
};

const withoutUserinfo = (url: string): string => url.replace(/:\/\/[^/@\s]*@/, '://');

/** Sections whose values are commands or names, not sources. */
const NO_SOURCE = new Set(['scripts', 'builds', 'workspaces']);
/** Fields of package.json that hold a URL and no dependency, for fragments that do not show their object. */
const URL_FIELDS = new Set(['url', 'repository', 'homepage', 'bugs', 'funding', 'web', 'email', 'issues', 'source', 'directory']);
const EXPLICIT = /^(?:git\+|git:\/\/|github:|gitlab:|bitbucket:|ssh:\/\/)/;

const sourceIn = (manifest: ManifestChange, { section, name, after }: Stated): SpecSource | null => {
  if (NO_SOURCE.has(section)) return null;
  if (section === '') return URL_FIELDS.has(name) || !EXPLICIT.test(after) ? null : sourceOf(after, false);
  if (section === 'source') return isPlain(after) ? { kind: 'archive', encrypted: false, pinned: false, path: '' } : null;
  if (section === 'replace' && !/^\.{0,2}\//.test(after)) return { kind: 'git', encrypted: true, pinned: true, path: '' };
  const vcs = section === 'repositories' && !isPlain(after);
  return vcs ? { kind: 'git', encrypted: true, pinned: false, path: '' } : sourceOf(after, manifest.ecosystem.name === 'npm');
};

const leavesRepository = (manifest: ManifestChange, path: string): boolean =>
  path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:[\\/]/.test(path) || resolved(folderOf(manifest.path), path) === null;

/** Severity and reason of a source; null where it is fine. */
const verdictOf = (manifest: ManifestChange, source: SpecSource): readonly [severity: Severity, reason: string] | null => {
  if (source.kind === 'local') {
    return leavesRepository(manifest, source.path) ? ['minor', 'a path outside the repository, which other machines do not have'] : null;
  }
  if (!source.encrypted) return ['major', 'an unencrypted address, which anyone on the way can answer'];
  if (source.kind === 'archive') return ['minor', 'an archive behind a URL, which the registry neither pins nor audits'];
  return source.pinned ? ['note', 'a fixed commit or fork instead of a release'] : ['minor', 'a repository whose reference can move'];
};

/** Findings of dependencies/git-or-url-dependency. */
export const checkSources = (manifest: ManifestChange): readonly Finding[] =>
  statedEntries(manifest).flatMap(entry => {
    const source = sourceIn(manifest, entry);
    const verdict = source && verdictOf(manifest, source);
    if (verdict === null) return [];
    const [severity, reason] = verdict;
    const message = `${withoutUserinfo(entry.name)} comes from ${withoutUserinfo(entry.after)}: ${reason}.`;
    return [findingOf(GIT_OR_URL_DEPENDENCY, manifest.file, { line: entry.line, severity, message })];
  });

const NPM_RANGES = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);
const ANY = new Set(['*', 'x', 'X', '']);

const isOpen = (range: string): boolean => ANY.has(range) || /^>=?\s*[\d.]+$/.test(range);

const openNpmRange = ({ section, name, after }: Stated, fromRegistry: ReadonlySet<string>): Severity | null => {
  if (!NPM_RANGES.has(section)) return null;
  if (after === 'latest') return 'minor';
  if (!isOpen(after) || !fromRegistry.has(name)) return null;
  return ANY.has(after) ? 'minor' : 'note';
};

const PLATFORM = /^(?:php|hhvm|(?:ext|lib|composer)-.*)$/;
const openRange = (manifest: ManifestChange, entry: Stated, fromRegistry: ReadonlySet<string>): Severity | null => {
  const { name } = manifest.ecosystem;
  if (name === 'npm') return openNpmRange(entry, fromRegistry);
  if (entry.after !== '*' || entry.section === '') return null;
  // A Cargo table without a version reads as `*`; only a written one counts, and those stand alone on their line.
  if (name === 'rust') return 'minor';
  return name === 'php' && !PLATFORM.test(entry.name) ? 'minor' : null;
};

/** Whether a range is open where the lockfile has to tell a registry package from a sibling of the workspace. */
export const asksLockfile = (manifest: ManifestChange): boolean =>
  manifest.ecosystem.name === 'npm' && statedEntries(manifest).some(({ section, after }) => NPM_RANGES.has(section) && isOpen(after));

/** Findings of dependencies/unbounded-range. @param fromRegistry names that the lockfile takes from a registry. */
export const checkRanges = (manifest: ManifestChange, fromRegistry: ReadonlySet<string>): readonly Finding[] =>
  statedEntries(manifest).flatMap(entry => {
    const severity = openRange(manifest, entry, fromRegistry);
    if (severity === null) return [];
    const message = `${entry.name} accepts ${entry.after === '' ? 'any version' : `\`${entry.after}\``}, so an install without the lockfile takes whatever is newest.`;
    return [findingOf(UNBOUNDED_RANGE, manifest.file, { line: entry.line, severity, message })];
  });

const ON_INSTALL = new Set(['preinstall', 'install', 'postinstall']);
const ON_PREPARE = new Set(['prepare', 'preprepare', 'postprepare', 'prepublish']);
/** Commands that fetch code, decode it, or run it from an argument. */
const FETCHES = /\b(?:curl|wget|Invoke-WebRequest|iwr|powershell|base64|eval)\b|\bnode\s+(?:-e|-p|--eval|--print)\b|\|\s*(?:ba|z|da)?sh\b|https?:\/\//i;

const scriptSeverity = ({ name, before, after }: Stated): Severity | null => {
  const install = ON_INSTALL.has(name);
  if (!install && !ON_PREPARE.has(name)) return null;
  if (FETCHES.test(after)) return 'major';
  if (!install) return null;
  return before === null ? 'minor' : 'note';
};

const scriptFinding = (manifest: ManifestChange, entry: Stated): Finding[] => {
  const unknownRange = entry.section === '' && /^[\^~<>=*\d]/.test(entry.after);
  const severity = unknownRange ? null : scriptSeverity(entry);
  if (severity === null) return [];
  const kind = entry.before === null ? 'is new' : 'changes';
  const risk = severity === 'major' ? ' Its command downloads or decodes code.' : '';
  return [findingOf(INSTALL_SCRIPT, manifest.file, { line: entry.line, severity, message: `The script ${entry.name} ${kind} and runs on install.${risk}` })];
};

const buildFinding = (manifest: ManifestChange, entry: Stated): Finding[] => {
  if (entry.after === 'false') return [];
  const severity = entry.name === 'every package' ? 'major' : 'minor';
  return [findingOf(INSTALL_SCRIPT, manifest.file, { line: entry.line, severity, message: `${entry.name} is now allowed to run scripts on install.` })];
};

/** Findings of dependencies/install-script in manifests. */
export const checkScripts = (manifest: ManifestChange): readonly Finding[] => {
  if (manifest.ecosystem.name !== 'npm') return [];
  return statedEntries(manifest).flatMap(entry => {
    if (entry.section === 'builds') return buildFinding(manifest, entry);
    return entry.section === 'scripts' || entry.section === '' ? scriptFinding(manifest, entry) : [];
  });
};
