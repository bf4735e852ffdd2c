/** Reads a change's diff within the limits of the settings, and applies the ignore rules. */
import { type CollectedFile, collectDiff, type DiffFile, type DiffLimits, pathOf } from '@weir/diff';
import { AppError } from '@weir/kernel';
import type { LocalChange } from '@weir/ports';
import { ignoredChange, ignoredFiles } from '@weir/review';
import { feedDiff } from '../read-diff.ts';
import { ignoreRules } from './ignore-rules.ts';
import type { LoadedSettings } from './load-settings.ts';

export interface ReadChange {
  readonly files: readonly DiffFile[];
  /** Files that are reviewed: all but the ignored ones. */
  readonly reviewed: readonly DiffFile[];
  readonly ignored: ReadonlyMap<string, string>;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly notes: readonly string[];
}

const total = (collected: readonly CollectedFile[], side: 'added' | 'removed'): number => collected.reduce((sum, each) => sum + each[side], 0);

/** Collects a stream; `blank` says that it held nothing but white space. */
async function collect(
  bytes: AsyncIterable<Uint8Array>,
  limits: DiffLimits,
): Promise<{ readonly collected: readonly CollectedFile[]; readonly blank: boolean }> {
  const collector = collectDiff(limits);
  let blank = true;
  await feedDiff(bytes, {
    push: text => {
      blank &&= text.trim() === '';
      collector.push(text);
    },
  });
  return { collected: collector.end(), blank };
}

/** Files that the diff calls binary although neither side has a NUL: an attribute says so, and a change can set it for its own files. */
async function hiddenText(change: LocalChange, collected: readonly CollectedFile[]): Promise<readonly string[]> {
  const hidden: string[] = [];
  for (const { file } of collected) {
    if (!file.binary || file.hunks.length > 0 || change.readHead === undefined || change.readBase === undefined) continue;
    const sides = await Promise.all([
      file.newPath === null ? undefined : change.readHead(file.newPath),
      file.oldPath === null ? undefined : change.readBase(file.oldPath),
    ]);
    const texts = sides.filter(text => text !== undefined);
    if (texts.length > 0 && !texts.some(text => text.includes('\0'))) hidden.push(pathOf(file));
  }
  return hidden;
}

/** Reads the hidden files as text and puts them in the place of their binary sections. */
async function withHiddenText(
  change: LocalChange,
  collected: readonly CollectedFile[],
  limits: DiffLimits,
  signal: AbortSignal,
): Promise<readonly CollectedFile[]> {
  const hidden = await hiddenText(change, collected);
  if (hidden.length === 0 || change.diffAsText === undefined) return collected;
  const shown = new Map((await collect(change.diffAsText(hidden, signal), limits)).collected.map(each => [pathOf(each.file), each]));
  return collected.map(each => (each.file.binary ? (shown.get(pathOf(each.file)) ?? each) : each));
}

/** Throws DIFF_UNREADABLE for an input that has text and is no diff. */
export async function readChange(change: LocalChange, settings: LoadedSettings, signal: AbortSignal): Promise<ReadChange> {
  const limits = { maxFileBytes: settings.get<number>('review.maxFileBytes'), maxDiffBytes: settings.get<number>('review.maxDiffBytes') };
  const first = await collect(change.diff(signal), limits);
  if (first.collected.length === 0 && !first.blank) throw new AppError('DIFF_UNREADABLE', `${change.label} holds text, and no section of a diff`);
  const collected = await withHiddenText(change, first.collected, limits, signal);
  const files = collected.map(each => each.file);
  const rules = await ignoreRules(settings, change, files.map(pathOf));
  const whole = ignoredChange(rules, change);
  const ignored = whole === null ? ignoredFiles(rules, files) : new Map(files.map(file => [pathOf(file), `the change is not reviewed: ${whole}`]));
  return {
    files,
    reviewed: files.filter(file => !ignored.has(pathOf(file))),
    ignored,
    addedLines: total(collected, 'added'),
    removedLines: total(collected, 'removed'),
    notes: whole === null ? [] : [`The change is not reviewed: ${whole}.`],
  };
}
