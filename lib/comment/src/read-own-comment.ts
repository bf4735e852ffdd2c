/**
 * Reads Weir's own printed comments back: what a finding says, what a reply decided. For a process that keeps nothing and has only what
 * stands on the forge. Who wrote the comment is for the caller to check.
 */
import { REVIEW_VERDICTS, type ReviewVerdict, SEVERITIES, type Severity } from '@weir/contract';
import { VERDICT_WORDS } from './follow-up-reply.ts';
import { readMarker } from './marker.ts';
import { MAX_MESSAGE_CHARS } from './read-prose.ts';
import { SEVERITY_LABELS } from './severity-label.ts';

export interface StandingText {
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
}

const FENCE = /^(`{3,}|~{3,})/;
/** Spans of code stand as they are; the rest is Markdown that `neutralText` made. */
const SPANS = /(?<!\\)(`{1,20}[^`]{1,2000}`{1,20})/;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

const plain = (text: string): string =>
  text
    .replaceAll('\u200b', '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(?:amp|lt|gt);/g, entity => ENTITIES[entity] ?? entity);

const plainLine = (line: string): string =>
  line
    .split(SPANS)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('');

function plainLines(lines: readonly string[]): string {
  let fence: string | null = null;
  return lines
    .map(line => {
      const [, mark] = FENCE.exec(line) ?? [];
      if (fence === null && mark === undefined) return plainLine(line);
      if (fence === null) fence = mark ?? null;
      else if (mark?.startsWith(fence) === true) fence = null;
      return line;
    })
    .join('\n')
    .trim();
}

/** The printed comment without its mark. */
function unmarked(body: string): readonly string[] {
  const lines = body.trim().split('\n');
  if (lines[0]?.startsWith('<!-- weir:') === true) lines.shift();
  else if (lines.at(-1)?.trim().startsWith('`weir:') === true) lines.pop();
  return lines.join('\n').trim().split('\n');
}

/** Longest first, since one label begins another. */
const LABELS = SEVERITIES.map(severity => ({ severity, start: `**${SEVERITY_LABELS[severity]}: ` })).sort((a, b) => b.start.length - a.start.length);

/** `**issue (blocking): Retry has no ceiling** · ⛔ · …` */
function readTitle(line: string): Pick<StandingText, 'severity' | 'title'> | undefined {
  const label = LABELS.find(({ start }) => line.startsWith(start));
  const end = line.lastIndexOf('** · ');
  if (label === undefined || end <= label.start.length) return undefined;
  return { severity: label.severity, title: plain(line.slice(label.start.length, end)).trim() };
}

/** What a comment on a finding says; undefined where it is none, or was edited beyond recognition. */
export function readFindingText(body: string): StandingText | undefined {
  if (readMarker(body)?.kind !== 'finding') return undefined;
  const [first = '', ...rest] = unmarked(body);
  const title = readTitle(first);
  return title === undefined || title.title === '' ? undefined : { ...title, message: plainLines(rest).slice(0, MAX_MESSAGE_CHARS) };
}

/** The verdict of a reply; undefined where it is none. */
export function readReplyVerdict(body: string): Exclude<ReviewVerdict, 'unchanged'> | undefined {
  if (readMarker(body)?.kind !== 'reply') return undefined;
  const [first = ''] = unmarked(body);
  return REVIEW_VERDICTS.filter(verdict => verdict !== 'unchanged').find(verdict => first.startsWith(`**${VERDICT_WORDS[verdict]}** `));
}

/** Whether the summary says that the change was read whole and nothing failed: its headline tells what was not. */
export function readSummaryComplete(body: string): boolean {
  const [first = ''] = unmarked(body);
  return readMarker(body)?.kind === 'summary' && !first.includes(' Incomplete: ');
}
