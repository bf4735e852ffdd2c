/** Does the lockfile record ranges that the manifest does not ask for? And is it still there? */
import type { Finding } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { findingOf, touchedLines } from '@weir/specialist-kit';
import { type ChangeReader, MAX_LOCK_CHARS } from '../change-reader.ts';
import { changedEntries, type EntryChange } from '../dependency-entry.ts';
import { type KnownLock, lockOf } from '../ecosystems.ts';
import { type Difference, rangeIn, recordedRanges } from '../lock/judge.ts';
import { wholePiece } from '../piece.ts';
import { folderOf, isIllustrative, joined, MAX_FOLDERS, upwards } from '../repository-path.ts';
import { LOCKFILE_DELETED, LOCKFILE_WITHOUT_MANIFEST } from '../rules.ts';
import { nameList } from './name-list.ts';

interface Drift {
  readonly change: EntryChange;
  readonly difference: Difference;
  readonly manifestPath: string;
}

/** Members of one lockfile that are compared. */
const MAX_MEMBERS = 500;

/** What the lockfile's changed records of one member say against its manifest; what the manifest's own change tells is left to that rule. */
const driftsOfMember = async (
  reader: ChangeReader,
  { lock, ecosystem }: KnownLock,
  file: { readonly path: string; readonly text: string; readonly told: ReadonlyMap<string, readonly EntryChange[]> },
  member: { readonly folder: string; readonly changes: readonly EntryChange[] },
): Promise<Drift[]> => {
  const manifestPath = joined(joined(folderOf(file.path), member.folder).replace(/\/$/, ''), String(ecosystem.manifest));
  const text = await reader.head?.(manifestPath);
  if (text === undefined) return [];
  const manifest = ecosystem.read([wholePiece(text)]);
  const judge = manifest.problem === null ? reader.opened(file.path, lock.open, file.text)({ member: member.folder, manifest, lockChanged: true }) : null;
  if (judge === null) return [];
  const wanted = recordedRanges(manifest.entries);
  const told = recordedRanges((file.told.get(manifestPath) ?? []).map(change => ({ ...change, spec: '' })));
  return member.changes.flatMap(change => {
    if (rangeIn(told, change) !== undefined) return [];
    const asked = rangeIn(wanted, change) ?? null;
    const difference = judge({ ...change, before: change.after ?? change.before, after: asked });
    return difference === null ? [] : [{ change, difference, manifestPath }];
  });
};

const finding = (file: DiffFile, strict: string, drifts: readonly Drift[]): Finding => {
  const touched = touchedLines(file);
  const worst = drifts.some(({ difference }) => difference.severity === 'major') ? 'major' : 'minor';
  const added = drifts.find(({ change }) => change.after !== null && touched.has(change.line)) ?? drifts[0];
  const old = added?.change.after === null;
  const line = added?.change.line ?? 0;
  const manifestPath = added?.manifestPath ?? '';
  return findingOf(LOCKFILE_WITHOUT_MANIFEST, file, {
    line,
    side: old ? 'old' : 'new',
    severity: worst,
    message: `${manifestPath} does not ask for what the lockfile now records: ${nameList(drifts.map(({ change, difference }) => `${change.name} ${difference.detail}`))}.${worst === 'major' ? ` \`${strict}\` fails.` : ''}`,
    evidence: [
      { path: pathOf(file), line: old ? null : line || null, note: 'the changed record' },
      { path: manifestPath, line: null, note: 'the manifest as the change leaves it' },
    ],
  });
};

interface BothSides {
  readonly known: KnownLock;
  readonly path: string;
  readonly text: string;
  readonly before: string;
}

/** Both sides of a lockfile that repeats ranges; null for others and where one cannot be read. */
const bothSides = async (reader: ChangeReader, file: DiffFile): Promise<BothSides | null> => {
  const known = lockOf(pathOf(file));
  if (known?.lock.members === undefined || file.newPath === null || file.oldPath === null) return null;
  const [text, before] = [await reader.head?.(file.newPath), await reader.base?.(file.oldPath)];
  if (text === undefined || before === undefined || Math.max(text.length, before.length) > MAX_LOCK_CHARS) return null;
  return { known, path: file.newPath, text, before };
};

/**
 * Findings of dependencies/lockfile-without-manifest; at most one for a lockfile.
 * @param told changes of the manifests in the change, by path.
 */
export const checkLockfileDrift = async (
  reader: ChangeReader,
  file: DiffFile,
  told: ReadonlyMap<string, readonly EntryChange[]>,
): Promise<readonly Finding[]> => {
  const sides = await bothSides(reader, file);
  const members = sides?.known.lock.members;
  if (sides === null || members === undefined) return [];
  const [head, base] = [members(sides.text), members(sides.before)];
  const drifts: Drift[] = [];
  for (const folder of [...new Set([...head.keys(), ...base.keys()])].slice(0, MAX_MEMBERS)) {
    const changes = changedEntries(base.get(folder) ?? [], head.get(folder) ?? []);
    const lock = { path: sides.path, text: sides.text, told };
    if (changes.length > 0) drifts.push(...(await driftsOfMember(reader, sides.known, lock, { folder, changes })));
  }
  return drifts.length === 0 ? [] : [finding(file, sides.known.lock.strict, drifts)];
};

const firstThatExists = async (reader: ChangeReader, paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths) if ((await reader.head?.(path)) !== undefined) return path;
  return undefined;
};

/** The manifest beside a lockfile, and every lockfile that could serve it. */
const neighbours = (path: string, { ecosystem }: KnownLock): { readonly manifest: string; readonly locks: readonly string[] } => {
  const folders = ecosystem.workspaces ? upwards(folderOf(path), MAX_FOLDERS) : [folderOf(path)];
  return {
    manifest: joined(folderOf(path), String(ecosystem.manifest)),
    locks: folders.flatMap(folder => ecosystem.locks.map(lock => joined(folder, lock.file))),
  };
};

/** Findings of dependencies/lockfile-deleted. */
export const checkDeletedLockfile = async (reader: ChangeReader, file: DiffFile, files: readonly DiffFile[]): Promise<readonly Finding[]> => {
  const path = file.oldPath ?? '';
  const known = file.kind === 'deleted' && !isIllustrative(path) ? lockOf(path) : undefined;
  // A .NET project file has no fixed name to look for.
  if (known === undefined || typeof known.ecosystem.manifest !== 'string') return [];
  const { manifest, locks } = neighbours(path, known);
  if (reader.head === undefined) {
    const settled = files.some(({ kind, oldPath, newPath }) => (kind === 'deleted' && oldPath === manifest) || (newPath !== null && locks.includes(newPath)));
    if (!settled) reader.notePartial(path, 'whether its manifest stays without a lockfile cannot be seen in a bare diff');
    return [];
  }
  if ((await reader.head(manifest)) === undefined || (await firstThatExists(reader, locks)) !== undefined) return [];
  const message = `${manifest} stays, and no other lockfile serves it. Installs are no longer reproducible.`;
  return [findingOf(LOCKFILE_DELETED, file, { line: 0, side: 'old', message, evidence: [{ path: manifest, line: null, note: 'the manifest that stays' }] })];
};
