/**
 * Judges the conflict blocks of a file: a block in code is a blocker; one that is quoted on purpose is milder or left alone.
 * A false blocker costs more trust than a missed fixture.
 */
import type { Finding, Severity } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { findingOf } from '@weir/specialist-kit';
import type { TextRun } from './changed-text.ts';
import { maskCode } from './code-mask.ts';
import { type ConflictBlock, conflictBlocks } from './conflict-blocks.ts';
import { RULES } from './rules.ts';
import { extensionOf, isFixturePath, isTestFile, languageOf } from './source-language.ts';

/** Text that may quote anything, such as mail of depth seven: only a complete block is certain there. */
const PROSE = new Set([
  '',
  'md',
  'mdx',
  'markdown',
  'rst',
  'adoc',
  'asciidoc',
  'txt',
  'text',
  'org',
  'tex',
  'eml',
  'mbox',
  'log',
  'csv',
  'out',
  'html',
  'htm',
  'snap',
  'diff',
  'patch',
]);
/** Tests and docs of tools that handle conflicts. */
const ABOUT_CONFLICTS = /conflict|merge|diff3|rebase|cherry|resolv|marker/i;

const MARKDOWN_FENCE = /^\s{0,3}(?:```|~~~)/;
const ASCIIDOC_LISTING = /^(?:-{4,}|\.{4,}|```)\s*$/;

/** Numbers of the lines that stand inside a fenced block of Markdown or a listing of AsciiDoc. */
function fencedLines(run: TextRun, extension: string): ReadonlySet<number> {
  const fence = extension.startsWith('m') ? MARKDOWN_FENCE : ASCIIDOC_LISTING;
  const fenced = new Set<number>();
  let inside = false;
  for (const line of run) {
    if (fence.test(line.text)) inside = !inside;
    else if (inside) fenced.add(line.number);
  }
  return fenced;
}

/** Numbers of the lines whose first character is inside a string or a comment; empty for a text without a known language. */
function quotedLines(run: TextRun, path: string): ReadonlySet<number> {
  const language = languageOf(path);
  if (language === null) return new Set();
  const code = maskCode(run.map(line => line.text).join('\n'), language).split('\n');
  return new Set(run.filter((line, index) => code[index]?.[0] !== line.text[0]).map(line => line.number));
}

/** Where a block stands: `quoted` in a string, a comment or a fenced example; `trial` in a test's input or source. */
interface Surroundings {
  readonly prose: boolean;
  readonly quoted: boolean;
  readonly trial: boolean;
  readonly aboutConflicts: boolean;
}

/** True for files that hold inputs of tests, quoted or whole; a test's own code is not an input. */
function isTrial(path: string, quoted: boolean): boolean {
  const language = languageOf(path);
  if (language === null) return isFixturePath(path);
  return quoted && (isFixturePath(path) || isTestFile(path, language));
}

/** Severity of a block, or null when it stands there on purpose or is not certain. */
function severityOf(complete: boolean, { prose, quoted, trial, aboutConflicts }: Surroundings): Severity | null {
  if (!complete && (prose || quoted || trial)) return null;
  if ((quoted || trial) && aboutConflicts) return null;
  if (trial || (quoted && prose)) return 'minor';
  return quoted ? 'major' : 'blocker';
}

/** Last line of the block if the change adds every line up to it or at least shows it, else the first added marker itself. */
function rangeOf(block: ConflictBlock, file: DiffFile): { readonly line: number; readonly endLine: number } {
  const holds = (number: number) => (hunk: DiffFile['hunks'][number]) => number >= hunk.newStart && number < hunk.newStart + hunk.newLines;
  const hunk = file.hunks.find(holds(block.first.number));
  if (hunk !== undefined && holds(block.last.number)(hunk)) return { line: block.first.number, endLine: block.last.number };
  const line = block.added[0]?.number ?? block.first.number;
  return { line, endLine: line };
}

const MESSAGES = {
  complete: 'Both sides of a merge stand here with their markers. The conflict is not resolved: the file does not mean what either side meant.',
  part: 'A marker of a merge stands here. A conflict was resolved only in part, or pasted in.',
  quoted: 'A whole conflict block stands here inside quoted text. If it is an example, leave it; if it comes from a merge, resolve it.',
} as const;

/** Findings for conflict blocks with an added marker line. */
export function conflictFindings(file: DiffFile, runs: readonly TextRun[]): readonly Finding[] {
  const path = pathOf(file);
  const prose = PROSE.has(extensionOf(path));
  return runs.flatMap(run => {
    const blocks = conflictBlocks(run);
    if (blocks.length === 0) return [];
    const quoted = prose ? fencedLines(run, extensionOf(path)) : quotedLines(run, path);
    return blocks.flatMap(block => {
      const isQuoted = quoted.has(block.first.number);
      const surroundings = { prose, quoted: isQuoted, trial: isTrial(path, isQuoted), aboutConflicts: ABOUT_CONFLICTS.test(path) };
      const severity = severityOf(block.complete, surroundings);
      if (severity === null) return [];
      const message = severity === 'blocker' ? MESSAGES[block.complete ? 'complete' : 'part'] : MESSAGES.quoted;
      return [findingOf(RULES.conflictMarker, file, { ...rangeOf(block, file), message, severity, quote: block.added[0]?.text.trimEnd() ?? null })];
    });
  });
}
