/** Reads a change's diff within the limits of the settings, and applies the ignore rules. */
import { type CollectedFile, collectDiff, type DiffFile, type DiffLimits, pathOf } from '@weir/diff';
import { AppError } from '@weir/kernel';
import type { LocalChange } from '@weir/ports';
import { compileGlobs, compilePatterns, ignoredChange, ignoredFiles, type IgnoreRules } from '@weir/review';
import type { IgnoreSettings, RoundSettings } from './round-settings.ts';

/** A change on this machine or on a forge. */
export interface PanelChange extends LocalChange {
  /** Absent where a change has none. */
  readonly labels?: readonly string[];
  /** Files whose lines the source could not give, with the reason; known once the diff has been read. */
  readonly unread?: () => ReadonlyMap<string, string>;
}

/** Pushes the bytes into the target as lossless text. */
export type FeedDiff = (bytes: AsyncIterable<Uint8Array>, target: { push(text: string): void }) => Promise<void>;

export interface ReadChange {
  readonly files: readonly DiffFile[];
  /** Files that are reviewed: all but the ignored ones. */
  readonly reviewed: readonly DiffFile[];
  readonly ignored: ReadonlyMap<string, string>;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly notes: readonly string[];
}

/** Binary sections of one change that are looked into for text, where the source can show it only file by file. */
const MAX_LOOKED_INTO = 50;

const total = (collected: readonly CollectedFile[], side: 'added' | 'removed'): number => collected.reduce((sum, each) => sum + each[side], 0);

interface DiffSource {
  readonly limits: DiffLimits;
  readonly feed: FeedDiff;
}

/** Collects a stream; `blank` says that it held nothing but white space. */
async function collect(
  bytes: AsyncIterable<Uint8Array>,
  { limits, feed }: DiffSource,
): Promise<{ readonly collected: readonly CollectedFile[]; readonly blank: boolean }> {
  const collector = collectDiff(limits);
  let blank = true;
  await feed(bytes, {
    push: text => {
      blank &&= text.trim() === '';
      collector.push(text);
    },
  });
  return { collected: collector.end(), blank };
}

/** Files that the diff calls binary although neither side has a NUL: an attribute says so, and a change can set it for its own files. */
async function hiddenText(change: LocalChange, collected: readonly CollectedFile[], most: number): Promise<readonly string[]> {
  const hidden: string[] = [];
  const binary = collected.filter(({ file }) => file.binary && file.hunks.length === 0).slice(0, most);
  for (const { file } of binary) {
    if (change.readHead === undefined || change.readBase === undefined) break;
    const sides = await Promise.all([
      file.newPath === null ? undefined : change.readHead(file.newPath),
      file.oldPath === null ? undefined : change.readBase(file.oldPath),
    ]);
    const texts = sides.filter(text => text !== undefined);
    if (texts.length > 0 && !texts.some(text => text.includes('\0'))) hidden.push(pathOf(file));
  }
  return hidden;
}

/** Reads the hidden files as text and puts them in the place of their binary sections; where the source has no such diff, names them. */
async function withHiddenText(change: LocalChange, collected: readonly CollectedFile[], source: DiffSource, signal: AbortSignal) {
  const shows = change.diffAsText !== undefined;
  const hidden = await hiddenText(change, collected, shows ? collected.length : MAX_LOOKED_INTO);
  if (hidden.length === 0) return collected;
  if (change.diffAsText === undefined) {
    const reason = 'an attribute hides its lines: the diff calls it binary, and it holds text';
    return withProblems(collected, new Map(hidden.map(path => [path, reason])));
  }
  const shown = new Map((await collect(change.diffAsText(hidden, signal), source)).collected.map(each => [pathOf(each.file), each]));
  return collected.map(each => (each.file.binary ? (shown.get(pathOf(each.file)) ?? each) : each));
}

const withProblems = (collected: readonly CollectedFile[], reasons: ReadonlyMap<string, string>): readonly CollectedFile[] =>
  collected.map(each => {
    const reason = reasons.get(pathOf(each.file));
    return reason === undefined ? each : { ...each, file: { ...each.file, binary: false, problem: reason } };
  });

async function ignoreRules(settings: IgnoreSettings, change: LocalChange, paths: readonly string[]): Promise<IgnoreRules> {
  return {
    exclude: compileGlobs(settings.exclude),
    titles: compilePatterns(settings.titles),
    branches: compilePatterns(settings.branches),
    authors: compilePatterns(settings.authors),
    labels: compilePatterns(settings.labels),
    generated: settings.generated && change.generated ? await change.generated(paths) : new Set<string>(),
  };
}

export interface ReadChangeInput {
  readonly change: PanelChange;
  readonly settings: Pick<RoundSettings, 'maxFileBytes' | 'maxDiffBytes' | 'ignore'>;
  readonly feed: FeedDiff;
}

/** Throws DIFF_UNREADABLE for an input that has text and is no diff, and what the change throws. */
export async function readChange({ change, settings, feed }: ReadChangeInput, signal: AbortSignal): Promise<ReadChange> {
  const source = { limits: { maxFileBytes: settings.maxFileBytes, maxDiffBytes: settings.maxDiffBytes }, feed };
  const first = await collect(change.diff(signal), source);
  if (first.collected.length === 0 && !first.blank) throw new AppError('DIFF_UNREADABLE', `${change.label} holds text, and no section of a diff`);
  const collected = withProblems(await withHiddenText(change, first.collected, source, signal), change.unread?.() ?? new Map());
  const files = collected.map(each => each.file);
  const rules = await ignoreRules(settings.ignore, change, files.map(pathOf));
  const whole = ignoredChange(rules, { labels: [], ...change });
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
