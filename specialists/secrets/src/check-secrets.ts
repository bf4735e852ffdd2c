/**
 * The check: every added line once for known forms and names, every hunk once for key blocks.
 * No finding shows a secret; message and quote hold its redacted form.
 */
import type { Finding, Severity } from '@weir/contract';
import { type DiffFile, type Hunk, pathOf } from '@weir/diff';
import { addedLines, type CheckContext, type CheckResult, findingOf, type PartialReading } from '@weir/specialist-kit';
import { allowsUnquoted, type PathKind, pathKind, policyOf } from './path-kind.ts';
import { joinNamedValue, lineAbove } from './find-assignments.ts';
import { redact } from './redact.ts';
import { scanAssignments } from './scan-assignments.ts';
import { scanFormats } from './scan-formats.ts';
import { type KeyBlock, scanKeyBlocks } from './scan-key-blocks.ts';
import type { SecretMatch } from './secret-match.ts';
import { settleOverlaps } from './settle-overlaps.ts';

/** Characters of a line up to which names and values are looked at; longer lines are minified or data. */
const MAX_ASSIGNMENT_LINE = 10_000;
/** Characters of a line that are looked at for known forms. */
const MAX_FORMAT_LINE = 2_000_000;
/** Findings of one file; a file beyond is a dump, and one remark more says nothing new. */
const MAX_FINDINGS_PER_FILE = 200;
/** Lines between two looks at the abort signal. */
const ABORT_INTERVAL = 1_000;

/** Severity of a match at this kind of path; undefined when it is not reported there. */
function severityAt(kind: PathKind, { rule, verdict, name }: SecretMatch): Severity | undefined {
  // In text and samples a telling name stands before made-up values; only a form of its own says more.
  const tier = name !== null && (kind === 'prose' || kind === 'sample') ? 'generic' : rule.tier;
  const policy = policyOf(kind, tier);
  if (policy === 'full') return rule.severity;
  if (policy === 'minor') return rule.severity === 'note' ? 'note' : 'minor';
  return policy === 'proven' && verdict === 'proven' ? 'minor' : undefined;
}

function describe(match: SecretMatch): string {
  const proof = match.verdict === 'proven' ? ' Its checksum is right, so it was really issued.' : '';
  const name = match.name === null ? '' : ` under the name ${match.name}`;
  return `This line adds a ${match.rule.what}${name} (${redact(match.secret)}, ${match.secret.length} characters).${proof} ${match.rule.why} ${match.rule.fix}`;
}

function findingOfMatch(file: DiffFile, line: number, match: SecretMatch, severity: Severity): Finding {
  const shown = redact(match.secret);
  const quote = match.name === null ? shown : `${match.name}=${shown}`;
  return findingOf(match.rule, file, { line, severity, quote, message: describe(match) });
}

function findingOfBlock(file: DiffFile, block: KeyBlock, kind: PathKind): Finding | undefined {
  if (kind === 'test' || kind === 'sample' || kind === 'prose') return undefined;
  const severity = block.encrypted ? 'major' : block.rule.severity;
  const sealed = block.encrypted ? ' It is encrypted, so its passphrase still protects it.' : '';
  const message = `These lines add a ${block.rule.what}.${sealed} ${block.rule.why} ${block.rule.fix}`;
  return findingOf(block.rule, file, { line: block.line, endLine: block.endLine, severity, quote: block.header, message });
}

/** A documentation comment that says itself that what it holds is an example. */
const EXAMPLE_COMMENT = /^\s{0,80}(?:\*|\/\/\/).{0,2000}\b(?:looks? (?:something )?like|for example|e\.g\.|such as|sample|example)\b/i;

interface FilePlace {
  readonly path: string;
  readonly kind: PathKind;
  readonly bareValues: boolean;
}

/** @param previous the line above, for a name that stands there */
function matchesOf(text: string, previous: string, { path, kind, bareValues }: FilePlace): SecretMatch[] {
  if (EXAMPLE_COMMENT.test(text.slice(0, MAX_ASSIGNMENT_LINE))) return [];
  const formats = scanFormats(text.length > MAX_FORMAT_LINE ? text.slice(0, MAX_FORMAT_LINE) : text, path);
  if (kind === 'test' || text.length > MAX_ASSIGNMENT_LINE) return settleOverlaps(formats);
  const joined = joinNamedValue(previous, text);
  const named = scanAssignments(joined.text, bareValues).map(match => ({ ...match, start: match.start + joined.shift, end: match.end + joined.shift }));
  return settleOverlaps([...formats, ...named]);
}

/** Matches of each added line of a hunk; the lines around it may hold its name. */
function* matchesOfHunk(hunk: Hunk, place: FilePlace): Generator<{ readonly line: number; readonly matches: readonly SecretMatch[] }> {
  let above = '';
  for (const { kind, new: line, text } of hunk.lines) {
    if (line === null) continue;
    if (kind === 'added') yield { line, matches: matchesOf(text, above, place) };
    above = lineAbove(above, text);
  }
}

function checkFile(file: DiffFile, signal: CheckContext['signal']): Finding[] {
  const path = pathOf(file);
  const kind = pathKind(path);
  const place = { path, kind, bareValues: allowsUnquoted(path) };
  const findings: Finding[] = [];
  const covered = new Set<number>();
  for (const block of file.hunks.flatMap(scanKeyBlocks)) {
    const finding = findingOfBlock(file, block, kind);
    if (finding !== undefined) findings.push(finding);
    for (let line = block.line; line <= block.endLine; line++) covered.add(line);
  }
  let seen = 0;
  for (const hunk of file.hunks) {
    for (const { line, matches } of matchesOfHunk(hunk, place)) {
      if (++seen % ABORT_INTERVAL === 0 && signal.aborted) return findings;
      if (covered.has(line)) continue;
      for (const match of matches) {
        const severity = severityAt(kind, match);
        if (severity !== undefined) findings.push(findingOfMatch(file, line, match, severity));
      }
    }
  }
  return findings.sort((a, b) => a.line - b.line);
}

function partialOf(file: DiffFile, found: number): PartialReading | undefined {
  if (found > MAX_FINDINGS_PER_FILE) return { path: pathOf(file), reason: `${found} possible secrets; the first ${MAX_FINDINGS_PER_FILE} are listed` };
  for (const line of addedLines(file))
    if (line.text.length > MAX_FORMAT_LINE)
      return { path: pathOf(file), reason: `line ${line.new} is longer than ${MAX_FORMAT_LINE} characters; its end was not read` };
  return undefined;
}

/** Reports leaked secrets on added lines. Stops between files and lines when the signal says so, with what it has. */
export async function checkSecrets({ files, signal }: CheckContext): Promise<CheckResult> {
  const findings: Finding[] = [];
  const partial: PartialReading[] = [];
  for (const file of files) {
    if (signal.aborted) {
      partial.push({ path: pathOf(file), reason: 'the review was stopped before this file was searched for secrets' });
      continue;
    }
    const found = checkFile(file, signal);
    findings.push(...found.slice(0, MAX_FINDINGS_PER_FILE));
    const gap = partialOf(file, found.length);
    if (gap !== undefined) partial.push(gap);
  }
  return { findings, partial };
}
