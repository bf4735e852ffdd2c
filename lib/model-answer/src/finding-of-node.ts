/**
 * Turns one object of an answer into a finding, or says why it is none. Nothing is lost without a word:
 * what could not be read is a doubt, and a doubt makes the answer incomplete.
 */
import { type Evidence, Finding } from '@weir/contract';
import { codeText } from './code-text.ts';
import { partOf, textOf } from './finding-keys.ts';
import { titleOf } from './finding-title.ts';
import type { Entry, JsonNode } from './json-node.ts';
import { lineRange } from './line-range.ts';
import type { PathMatcher } from './path-matcher.ts';
import { categoryOf, severityOf } from './severity-word.ts';

export interface FindingSetting {
  /** First part of the rule ids: `correctness`. */
  readonly rulePrefix: string;
  readonly matchPath: PathMatcher;
}

/** `doubts` are phrases that complete "in a finding …"; `dropped` is the reason why there is no finding. */
export type FindingReading = { readonly finding: Finding; readonly doubts: readonly string[] } | { readonly finding: null; readonly dropped: string };

const PATH_WITH_LINE = /^(.{1,4000}?):(\d{1,9}(?:-\d{1,9})?)$/;
const OLD_SIDES: readonly string[] = ['old', 'left', 'before', 'base', 'removed', 'deleted'];

/** Entries with those of a `location` object beside them, and a path such as `src/a.ts:20` split in two. */
function flattened(entries: readonly Entry[], inheritedPath: string | null): readonly Entry[] {
  const location = partOf(entries, 'location');
  const all = location?.kind === 'object' ? [...entries, ...location.entries] : entries;
  const place = { start: 0, end: 0 };
  const text = (key: string, value: string): Entry => ({ key, plain: key, quoted: true, value: { kind: 'text', text: value, ...place } });
  const path = textOf(partOf(all, 'path')) ?? textOf(location) ?? inheritedPath;
  if (path === null) return all;
  const match = partOf(all, 'line') === undefined ? PATH_WITH_LINE.exec(path) : null;
  return match === null ? [text('path', path), ...all] : [text('path', match[1] ?? path), text('line', match[2] ?? ''), ...all];
}

/** Reads one finding. @param inheritedPath path of the list around it, for answers grouped by file. */
export function findingOfEntries(written: readonly Entry[], inheritedPath: string | null, setting: FindingSetting): FindingReading {
  const entries = flattened(written, inheritedPath);
  const path = textOf(partOf(entries, 'path'));
  const title = textOf(partOf(entries, 'title'));
  const message = textOf(partOf(entries, 'message')) ?? title;
  if (path === undefined) return { finding: null, dropped: 'it names no path' };
  if (message === undefined) return { finding: null, dropped: 'it has no message' };
  const range = lineRange(entries);
  const category = categoryOf(textOf(partOf(entries, 'category')));
  const quote = codeText(partOf(entries, 'quote'));
  const suggestion = codeText(partOf(entries, 'suggestion'));
  const matched = setting.matchPath(path);
  const finding: Finding = {
    rule: `${setting.rulePrefix}/${category ?? 'general'}`,
    path: matched,
    side: OLD_SIDES.includes((textOf(partOf(entries, 'side')) ?? '').trim().toLowerCase()) ? 'old' : 'new',
    line: range.line,
    endLine: range.endLine,
    severity: severityOf(textOf(partOf(entries, 'severity'))),
    category,
    title: titleOf(title, message),
    message: message.trim(),
    quote: quote ?? null,
    evidence: evidenceOf(partOf(entries, 'evidence'), matched, setting.matchPath),
    suggestion: suggestion ?? null,
  };
  const checked = Finding.safeParse(finding);
  if (!checked.success) return { finding: null, dropped: `it does not fit the schema: ${checked.error.issues[0]?.message ?? 'unknown reason'}` };
  return { finding, doubts: doubtsOf(range.unread, quote === undefined, suggestion === undefined) };
}

function doubtsOf(line: boolean, quote: boolean, suggestion: boolean): readonly string[] {
  return [line && 'the line numbers could not be read', quote && 'the quoted code could not be read', suggestion && 'the suggestion could not be read'].filter(
    phrase => phrase !== false,
  );
}

/** Places that the model names as proof: objects, or plain sentences that then belong to the finding's own file. */
function evidenceOf(node: JsonNode | undefined, path: string, matchPath: PathMatcher): readonly Evidence[] {
  if (node === undefined) return [];
  if (node.kind === 'array') return node.items.flatMap(item => evidenceOf(item, path, matchPath));
  if (node.kind !== 'object') {
    const note = textOf(node);
    return note === undefined ? [] : [{ path, line: null, note }];
  }
  const entries = flattened(node.entries, path);
  const { line } = lineRange(entries);
  return [{ path: matchPath(textOf(partOf(entries, 'path')) ?? path), line: line === 0 ? null : line, note: textOf(partOf(entries, 'note')) ?? '' }];
}
