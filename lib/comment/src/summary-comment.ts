/**
 * The one summary comment of a review, rewritten each round (REV-19): the headline, what is open, what was read, and in a fold
 * the rest. Findings come in the order in which they are to be read.
 */
import type { Severity } from '@weir/contract';
import { oneLine, SEVERITY_ROWS } from '@weir/report';
import { type Block, code, type CommentDocument, type Dialect, type Inline, link, type RenderedComment, sentence, strong, text } from './comment-document.ts';
import { SHORT_COMMIT } from './follow-up-reply.ts';
import { placeText } from './inline-comment.ts';
import { reviewTag } from './marker.ts';
import { printDocument } from './print-document.ts';
import { readProse } from './read-prose.ts';

export interface SummaryFinding {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly path: string;
  /** 0 for the whole file. */
  readonly line: number;
  /** Its thread; null where it has none. */
  readonly url: string | null;
  /** What is said here because no thread says it: the message, and why it has no place on the diff. Null when a thread does. */
  readonly unplaced: { readonly message: string; readonly reason: string } | null;
}

export interface ClosedFinding {
  readonly id: string;
  readonly title: string;
  readonly how: 'resolved' | 'acknowledged' | 'superseded' | 'dismissed';
  /** Who dismissed it and why, or the verdict's reason; null when nothing was said. */
  readonly reason: string | null;
}

export interface SummaryFacts {
  readonly reviewId: string;
  readonly round: number;
  readonly head: string;
  readonly headline: string;
  readonly open: readonly SummaryFinding[];
  readonly closed: readonly ClosedFinding[];
  /** What became of the findings of earlier rounds; null in the first. */
  readonly delta: { readonly resolved: number; readonly stillOpen: number; readonly unchanged: number } | null;
  /** One sentence: what was read, in counts. */
  readonly reading: string;
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
  /** Everything that was cut, dropped or did not arrive, each a sentence. */
  readonly notes: readonly string[];
  /** `$0.44` or `unpriced`; null unless the operator shows it. */
  readonly cost: string | null;
  /** The review's page; null unless the operator shows it. */
  readonly page: string | null;
  /** Somebody answers replies and commands in comments. */
  readonly attended: boolean;
  readonly tasks: readonly { readonly key: string; readonly text: string }[];
}

/** Severities that stand in the table; the rest is in the fold. */
const SERIOUS: ReadonlySet<Severity> = new Set(['blocker', 'major']);

const counted = (count: number, word: string): string => `${count} ${word}`;

function headlineOf({ headline, round, head, delta }: SummaryFacts): Block {
  const told =
    delta === null
      ? '.'
      : `: ${[counted(delta.resolved, 'resolved'), counted(delta.stillOpen, 'still open'), counted(delta.unchanged, 'unchanged')].join(', ')}.`;
  return sentence(strong(text(oneLine(headline))), text(` Round ${round} at `), code(head.slice(0, SHORT_COMMIT)), text(told));
}

const where = ({ path, line, url }: SummaryFinding): Inline => (url === null ? code(placeText(path, line)) : link(placeText(path, line), url));

function findingTable(findings: readonly SummaryFinding[]): readonly Block[] {
  if (findings.length === 0) return [];
  const rows = findings.map((finding): readonly (readonly Inline[])[] => [
    [text(`${SEVERITY_ROWS[finding.severity].glyph} ${finding.severity}`)],
    [code(finding.id), text(` ${oneLine(finding.title)}`)],
    [where(finding)],
  ]);
  return [{ kind: 'table', head: ['', 'Finding', 'Where'], rows }];
}

/** A finding that no thread shows is told whole. */
const unplacedBlocks = (findings: readonly SummaryFinding[]): readonly Block[] =>
  findings.flatMap(({ id, title, unplaced }) =>
    unplaced === null
      ? []
      : [sentence(code(id), text(' '), strong(text(oneLine(title))), text(` · ${oneLine(unplaced.reason)}`)), ...readProse(unplaced.message)],
  );

const list = (head: string, items: readonly (readonly Inline[])[]): readonly Block[] =>
  items.length === 0 ? [] : [sentence(text(head)), { kind: 'list', items }];

const closedItem = ({ id, title, how, reason }: ClosedFinding): readonly Inline[] => {
  const named: Inline = how === 'dismissed' ? { kind: 'struck', parts: [text(oneLine(title))] } : text(oneLine(title));
  return [code(id), text(' '), named, text(` · ${how}${reason === null ? '' : `: ${oneLine(reason)}`}`)];
};

function foldOf(facts: SummaryFacts, small: readonly SummaryFinding[]): readonly Block[] {
  const { closed, unread, notes, cost } = facts;
  const parts = [
    ...(small.length > 0 ? [`${small.length} minor or notes`] : []),
    ...(closed.length > 0 ? [`${closed.length} closed`] : []),
    ...(unread.length > 0 ? [`${unread.length} not read whole`] : []),
    ...(notes.length > 0 ? [counted(notes.length, notes.length === 1 ? 'remark' : 'remarks')] : []),
    ...(cost === null ? [] : [`cost ${oneLine(cost)}`]),
  ];
  const blocks = [
    ...unplacedBlocks(facts.open),
    ...findingTable(small),
    ...list(
      'Not read whole:',
      unread.map(({ path, reason }) => [code(path), text(` ${oneLine(reason)}`)]),
    ),
    ...list(
      'To know:',
      notes.map(note => [text(oneLine(note))]),
    ),
    ...list('Closed:', closed.map(closedItem)),
    ...(facts.tasks.length === 0 ? [] : [{ kind: 'tasks', items: facts.tasks } as const]),
  ];
  if (blocks.length === 0) return cost === null ? [] : [sentence(text(`Cost ${oneLine(cost)}.`))];
  return [{ kind: 'fold', summary: parts.length === 0 ? 'more' : parts.join(', '), blocks }];
}

const ATTENDED: readonly Inline[] = [text('reply to a thread · '), code('/review'), text(' again · '), code('/dismiss <finding> <reason>')];
const UNATTENDED: readonly Inline[] = [text('reply to a thread or resolve it: the round after the next push reads it')];

function footerOf({ page, attended }: SummaryFacts): readonly Inline[] {
  const commands = attended ? ATTENDED : UNATTENDED;
  return page === null ? commands : [...commands, text(' · '), link('why this headline', page)];
}

function summaryDocument(facts: SummaryFacts): CommentDocument {
  const serious = facts.open.filter(({ severity }) => SERIOUS.has(severity));
  const small = facts.open.filter(({ severity }) => !SERIOUS.has(severity));
  return {
    marker: { kind: 'summary', review: reviewTag(facts.reviewId), round: facts.round, finding: null, key: facts.head },
    blocks: [headlineOf(facts), ...findingTable(serious), sentence(text(oneLine(facts.reading))), ...foldOf(facts, small)],
    footer: footerOf(facts),
    whole: facts.page,
  };
}

export const renderSummary = (facts: SummaryFacts, dialect: Dialect): RenderedComment => printDocument(summaryDocument(facts), dialect);
