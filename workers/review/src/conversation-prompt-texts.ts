/** What a model is shown of a change to answer a question about it, or to describe it (REV-26): the hunk around the finding, or the diff. */
import type { Change, FindingCoordinates } from '@weir/contract';
import { collectDiff, type DiffFile, type Hunk } from '@weir/diff';
import { AppError } from '@weir/kernel';
import { type ConversationSlot, type CountTokens, planCalls, threadText } from '@weir/prompt';
import type { FindingRow } from '@weir/review';
import { type Answering, type AskedPlace, readable } from './conversation-asked.ts';
import { textsForModel } from './finding-texts.ts';
import { readForgeDiff } from './forge-diff.ts';
import { mayShowDiff } from './prior-round.ts';

/** Bytes of one file and of the whole diff that are held; a conversation reads a part of them. */
const LIMITS = { maxFileBytes: 512 * 1024, maxDiffBytes: 8 * 1024 * 1024 };

export interface PromptTexts {
  readonly texts: Readonly<Partial<Record<ConversationSlot, string>>>;
  /** What was not read, in sentences (REV-14). */
  readonly notes: readonly string[];
}

export interface Room {
  readonly slots: Readonly<Record<ConversationSlot, number>>;
  readonly countTokens: CountTokens;
}

const holds = (hunk: Hunk, { side, line }: Pick<FindingCoordinates, 'side' | 'line'>): boolean => {
  const [start, lines] = side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
  return line >= start && line < start + lines;
};

/** The hunk that the finding is about, else its file, else everything: the finding may be older than the diff. */
function around(files: readonly DiffFile[], finding: FindingCoordinates | undefined): readonly DiffFile[] {
  const file = finding === undefined ? undefined : files.find(({ newPath, oldPath }) => newPath === finding.path || oldPath === finding.path);
  if (file === undefined || finding === undefined) return files;
  const hunks = file.hunks.filter(hunk => holds(hunk, finding));
  return [hunks.length === 0 ? file : { ...file, hunks }];
}

async function diffText({ parts, review, signal }: Answering, { slots, countTokens }: Room, finding: FindingCoordinates | undefined) {
  const { diff, warnings } = await readForgeDiff(review, parts.sleep, signal);
  const collector = collectDiff(LIMITS);
  collector.push(diff);
  const files = around(
    collector.end().map(each => each.file),
    finding,
  );
  const { calls, coverage } = planCalls(files, { tokensPerCall: slots.diff, maxCalls: 1, countTokens });
  const whole = coverage.filter(({ reading, byRule }) => reading === 'full' || byRule).length;
  const cut = whole < coverage.length ? [`${whole} of ${coverage.length} files of the diff were read whole.`] : [];
  return { diff: calls[0]?.diff ?? '', notes: [...warnings, ...cut] };
}

const LOCKED = "The code was not read: the provider's policy does not let code of an author without push access reach a model.";

/** What the change says and does. Throws AppError FORGE_*. */
export async function changeTexts(answer: Answering, change: Change, room: Room, finding?: FindingCoordinates): Promise<PromptTexts> {
  const told = await readable(answer, 'change.get', change);
  const words = told === null ? '' : `${told.title}\n\n${told.body}`;
  if (!(await mayShowDiff(answer.review, change, answer.signal))) return { texts: { change: words }, notes: [LOCKED] };
  const { diff, notes } = await diffText(answer, room, finding);
  return { texts: { change: words, diff }, notes };
}

/** The finding in words: as its round found it or a person wrote it; by its rule where a model may not read that. */
async function findingText({ parts, review, signal }: Answering, row: FindingRow): Promise<string> {
  const words = (await textsForModel(parts.artifacts, review, [row], signal)).get(row.id);
  const place = row.line === 0 ? row.path : `${row.path}:${row.line}`;
  return `${row.id} · ${row.severity} · ${row.status} · ${place}\n${words === undefined ? row.rule : `${words.title}\n${words.message}`}`;
}

/** Throws AppError FORGE_DENIED where nothing of the question may be shown to a model. */
export async function questionTexts(answer: Answering, place: AskedPlace, change: Change, room: Room): Promise<PromptTexts> {
  const { fact, review } = answer;
  const asked = place.comments.filter(({ id }) => id === fact.comment);
  // In the conversation only the question is read: the rest of it is not about it.
  const earlier = place.ref === null ? [] : place.comments.filter(({ id }) => id !== fact.comment);
  const [question] = (await readable(answer, 'comment.list', { comments: asked }))?.comments ?? [];
  if (question === undefined) throw new AppError('FORGE_DENIED', "The question may not be shown to a model: its author's content is dropped here.");
  const shown = (await readable(answer, 'comment.list', { comments: earlier }))?.comments ?? [];
  const thread = threadText(
    shown.map(({ author, body }) => ({ author: author.login, body })),
    room.slots.thread,
    room.countTokens,
  );
  const row = fact.finding === null ? undefined : review.row.ledger.rows[fact.finding];
  const finding = row === undefined ? '' : await findingText(answer, row);
  const { texts, notes } = await changeTexts(answer, change, room, row);
  return { texts: { ...texts, finding, thread, question: question.body }, notes };
}
