/**
 * Plans the model calls of a change (REV-16b): which file, or which part of one, goes into which call. Every file of the change
 * ends up exactly once in the coverage: full, partial or skipped, with the reason.
 */
import type { FileCoverage } from '@weir/contract';
import type { DiffFile } from '@weir/diff';
import type { CountTokens } from './estimate-tokens.ts';
import { type FileSection, fileSection, withoutRemovals } from './file-section.ts';
import { type PackedCall, type Packing, packSections } from './pack-sections.ts';
import { MAX_LINE_CHARS, type Piece } from './render-file.ts';

/** Calls of one review unless the operator says otherwise (REV-16b). */
export const DEFAULT_MAX_CALLS = 4;

export interface PlanBudget {
  /** Tokens of the diff slot of one call. */
  readonly tokensPerCall: number;
  /** At least 0; see DEFAULT_MAX_CALLS. */
  readonly maxCalls: number;
  readonly countTokens: CountTokens;
}

export interface PlannedFile {
  readonly path: string;
  /** The file, or the part of it that this call reads, as the model sees it. */
  readonly text: string;
}

export interface PlannedCall {
  readonly files: readonly PlannedFile[];
  /** The diff slot: the texts of the files, one after the other. At most `tokensPerCall`. */
  readonly diff: string;
}

export interface CallPlan {
  readonly calls: readonly PlannedCall[];
  /** One entry a file, in the order of the change; true as long as every call is answered whole. */
  readonly coverage: readonly FileCoverage[];
}

const isTest = (path: string): boolean => /(?:^|[/_.-])(?:tests?|specs?|__tests__|fixtures?)(?:[/_.-]|$)/i.test(path);
const isText = (path: string): boolean => /\.(?:md|mdx|rst|txt|adoc|lock)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml)$/i.test(path);

/** Code first, then tests, then prose and lock files: what has no room is of the last kind. */
const rankOf = (path: string): number => (isText(path) ? 2 : isTest(path) ? 1 : 0);
const languageOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1] ?? '';
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Files of one language stand together, and neighbours in the tree next to each other. */
const byMeaning = (a: FileSection, b: FileSection): number =>
  rankOf(a.path) - rankOf(b.path) || order(languageOf(a.path), languageOf(b.path)) || order(a.path, b.path);

/** Plans the calls. When the change is larger than all of them, hunks that only remove lines go first. */
export function planCalls(files: readonly DiffFile[], budget: PlanBudget): CallPlan {
  const sections = files.map(file => fileSection(file, budget.tokensPerCall, budget.countTokens));
  const readable = sections.filter(section => section.pieces.length > 0).sort(byMeaning);
  const whole = packSections(readable, budget);
  const packing = whole.left === 0 ? whole : withoutRemoved(readable, budget);
  describe(
    sections.filter(section => section.pieces.length === 0),
    packing,
  );
  const calls = packing.calls.map(call => withinBudget(call, budget)).filter(call => call.parts.length > 0);
  const shown = new Map<DiffFile, Piece[]>();
  for (const { parts } of calls) for (const { section, pieces } of parts) shown.set(section.file, [...(shown.get(section.file) ?? []), ...pieces]);
  return { calls: calls.map(plannedCall), coverage: onceEach(sections.map(section => coverageOf(section, shown.get(section.file) ?? [], budget))) };
}

const withoutRemoved = (readable: readonly FileSection[], budget: PlanBudget): Packing =>
  packSections(
    readable.map(withoutRemovals).filter(section => section.pieces.length > 0),
    budget,
  );

/** Puts the files that one line describes where room is left. They never ask for a call of their own. */
function describe(sections: readonly FileSection[], { calls }: Packing): void {
  for (const section of sections) {
    const call = calls.find(({ free }) => free >= section.headerTokens);
    if (call === undefined) continue;
    call.parts.push({ section, pieces: [] });
    call.free -= section.headerTokens;
  }
}

const textOf = ({ section, pieces }: PackedCall['parts'][number]): string => [section.header, ...pieces.map(piece => piece.text)].join('\n');
const diffOf = (parts: PackedCall['parts']): string => parts.map(textOf).join('\n');

/** Tokens of the parts may add up to less than those of the whole; then the last parts have to go. */
function withinBudget(call: PackedCall, { tokensPerCall, countTokens }: PlanBudget): PackedCall {
  const parts = [...call.parts];
  while (parts.length > 0 && countTokens(diffOf(parts)) > tokensPerCall) {
    const last = parts.pop();
    if (last !== undefined && last.pieces.length > 1) parts.push({ ...last, pieces: last.pieces.slice(0, -1) });
  }
  return { ...call, parts };
}

const plannedCall = ({ parts }: PackedCall): PlannedCall => ({
  files: parts.map(part => ({ path: part.section.path, text: textOf(part) })),
  diff: diffOf(parts),
});

function coverageOf({ file, path, pieces }: FileSection, shown: readonly Piece[], { maxCalls, tokensPerCall }: PlanBudget): FileCoverage {
  const as = (reading: FileCoverage['reading'], reason: string | null, byRule = false): FileCoverage => ({ path, reading, reason, byRule });
  if (file.problem !== null) return as(shown.length > 0 ? 'partial' : 'skipped', file.problem);
  if (file.binary) return as('skipped', 'a binary file', true);
  if (file.kind === 'deleted') return as('skipped', 'a deleted file: it is named to the model, its lines are not shown', true);
  const room = `${maxCalls} calls of ${tokensPerCall} tokens have no room`;
  if (pieces.length > shown.length) {
    const seen = new Set(shown);
    const removals = pieces.every(piece => piece.removalsOnly || seen.has(piece));
    const what = removals ? 'parts that only remove lines' : 'parts';
    if (shown.length === 0) return as('skipped', removals ? `${room} for ${what}` : `${room} for it`);
    return as('partial', `${room} for ${pieces.length - shown.length} of its ${pieces.length} ${what}`);
  }
  return shown.some(piece => piece.lineCut) ? as('partial', `lines longer than ${MAX_LINE_CHARS} characters are cut`) : as('full', null);
}

const isLost = ({ reading, byRule }: FileCoverage): boolean => reading !== 'full' && !byRule;

/** One row a path. A change of type is two sections of one file, a deleted and an added one: what one of them lost, the file lost. */
function onceEach(rows: readonly FileCoverage[]): readonly FileCoverage[] {
  const byPath = new Map<string, FileCoverage>();
  for (const row of rows) {
    const known = byPath.get(row.path);
    byPath.set(row.path, known === undefined ? row : joined(known, row));
  }
  return [...byPath.values()];
}

function joined(a: FileCoverage, b: FileCoverage): FileCoverage {
  const [first, second] = isLost(b) && !isLost(a) ? [b, a] : [a, b];
  if (!isLost(first)) return second.reading === 'full' ? second : first;
  return second.reading === 'skipped' ? first : { ...first, reading: 'partial' };
}
