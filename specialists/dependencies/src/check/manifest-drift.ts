/** Does the lockfile carry what the manifest's change asks for? */
import type { Finding } from '@weir/contract';
import { findingOf, type Remark } from '@weir/specialist-kit';
import type { ChangeReader } from '../change-reader.ts';
import type { EntryChange } from '../dependency-entry.ts';
import { lockOf } from '../ecosystems.ts';
import type { Difference } from '../lock/judge.ts';
import type { ManifestChange } from '../manifest/manifest-change.ts';
import { folderOf, isIllustrative, MAX_FOLDERS, upwards } from '../repository-path.ts';
import { MANIFEST_WITHOUT_LOCKFILE } from '../rules.ts';
import { nameList } from './name-list.ts';
import { type FoundLock, nearestLock } from './nearest-lock.ts';

interface Drift {
  readonly change: EntryChange;
  readonly difference: Difference;
}

/** Fields of package.json that look like `name: range` where a hunk does not show their object. */
const NOT_A_DEPENDENCY = new Set([
  'version',
  'name',
  'node',
  'npm',
  'pnpm',
  'yarn',
  'vscode',
  'packageManager',
  'main',
  'license',
  'url',
  'homepage',
  'repository',
  'bugs',
]);
const LOOKS_LIKE_RANGE = /^(?:[\^~<>=*]|v?\d|latest$|(?:workspace|npm|file|git|github|https?|catalog)[:+])/;
/** Sections that no lockfile records. */
const NOT_LOCKED = new Set(['scripts', 'builds', 'source']);

/** Whether a change, as far as a fragment shows it, is one of a dependency. */
const isDependency = ({ section, name, before, after }: EntryChange): boolean =>
  section === '' ? !NOT_A_DEPENDENCY.has(name) && LOOKS_LIKE_RANGE.test(after ?? before ?? '') : !NOT_LOCKED.has(section);

/** The first place of a drift that the change touches; else the change's first added line. */
const placeOf = ({ touched }: ManifestChange, drifts: readonly Drift[]): Pick<Remark, 'line' | 'side'> => {
  const added = drifts.find(({ change }) => change.after !== null && touched.has(change.line));
  if (added !== undefined) return { line: added.change.line };
  const removed = drifts.find(({ change }) => change.after === null && change.line > 0);
  if (removed !== undefined) return { line: removed.change.line, side: 'old' };
  const [first = 0] = touched;
  return { line: first };
};

const remarkOf = (manifest: ManifestChange, lock: FoundLock, drifts: readonly Drift[]): Remark => {
  const worst = drifts.some(({ difference }) => difference.severity === 'major') ? 'major' : 'minor';
  const details = nameList(drifts.map(({ change, difference }) => `${change.name} ${difference.detail}`));
  const state = lock.changed ? 'changes too, but does not agree' : 'does not change';
  const effect = worst === 'major' ? `\`${lock.kind.strict}\` fails or installs something else.` : `The next \`${lock.kind.refresh}\` rewrites it.`;
  const place = placeOf(manifest, drifts);
  return {
    ...place,
    severity: worst,
    title: lock.changed ? `${lock.path} disagrees with the changed manifest` : `${lock.path} is not updated with the manifest`,
    message: `${lock.path} ${state}: ${details}. ${effect} Run \`${lock.kind.refresh}\` and commit the result.`,
    evidence: [
      { path: manifest.path, line: place.side === 'old' ? null : place.line || null, note: 'the changed entry' },
      { path: lock.path, line: null, note: 'what the lockfile says' },
    ],
  };
};

/** In a bare diff only a lockfile of the same change can be seen. */
const noteBareDiff = (reader: ChangeReader, manifest: ManifestChange, inChange: ReadonlySet<string>): void => {
  const { ecosystem, path } = manifest;
  if (ecosystem.locks.length === 0 || !manifest.changes.some(isDependency)) return;
  const folders = ecosystem.workspaces ? upwards(folderOf(path), MAX_FOLDERS) : [folderOf(path)];
  const visible = [...inChange].some(other => folders.includes(folderOf(other)) && lockOf(other)?.ecosystem.name === ecosystem.name);
  if (!visible) reader.notePartial(path, `whether a lockfile exists for it and still fits cannot be seen in a bare diff`);
};

/** Findings of dependencies/manifest-without-lockfile; at most one for a manifest. */
export const checkManifestDrift = async (reader: ChangeReader, manifest: ManifestChange, inChange: ReadonlySet<string>): Promise<readonly Finding[]> => {
  if (isIllustrative(manifest.path) || manifest.changes.length === 0) return [];
  if (reader.head === undefined) {
    noteBareDiff(reader, manifest, inChange);
    return [];
  }
  const lock = await nearestLock(reader, manifest.ecosystem, manifest.path, inChange);
  const judge = lock && reader.opened(lock.path, lock.kind.open, lock.text)({ member: lock.member, manifest: manifest.head, lockChanged: lock.changed });
  if (lock === null || judge === null) return [];
  const drifts = manifest.changes.flatMap(change => {
    const difference = judge(change);
    return difference === null ? [] : [{ change, difference }];
  });
  return drifts.length === 0 ? [] : [findingOf(MANIFEST_WITHOUT_LOCKFILE, manifest.file, remarkOf(manifest, lock, drifts))];
};
