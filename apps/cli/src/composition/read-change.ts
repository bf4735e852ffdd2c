/** Reads a change's diff within the limits of the settings, and applies the ignore rules. */
import { type CollectedFile, collectDiff, type DiffFile, pathOf } from '@weir/diff';
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

export async function readChange(change: LocalChange, settings: LoadedSettings, signal: AbortSignal): Promise<ReadChange> {
  const collector = collectDiff({ maxFileBytes: settings.get<number>('review.maxFileBytes'), maxDiffBytes: settings.get<number>('review.maxDiffBytes') });
  await feedDiff(change.diff(signal), collector);
  const collected = collector.end();
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
