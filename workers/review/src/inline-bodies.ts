/** Comments on lines in the forge's dialect, each suggestion with the lines that it replaces as they stand in the head (REV-19). */
import { renderInline, type SuggestionFacts } from '@weir/comment';
import type { ReviewFinding } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { InlineComment } from '@weir/review';
import type { PostSession } from './post-session.ts';

export interface InlineBody extends InlineComment {
  readonly body: string;
}

/** Reads each file once. */
export async function inlineBodies(session: PostSession, inline: readonly InlineComment[]): Promise<readonly InlineBody[]> {
  const paths = new Set(inline.flatMap(({ finding }) => (isSuggested(finding) ? [finding.path] : [])));
  const texts = new Map<string, readonly string[] | null>();
  for (const path of paths) texts.set(path, await linesAtHead(session, path));
  return inline.map(comment => ({ ...comment, body: bodyOf(session, comment, texts.get(comment.finding.path) ?? null) }));
}

/** Only what was not moved and stands on the new side can be committed. */
const isSuggested = ({ suggestion, placement }: ReviewFinding): boolean =>
  suggestion !== null && placement.kind === 'line' && placement.side === 'new' && !placement.moved;

/** Null where the forge does not give the file: the suggestion is then shown and not offered. */
async function linesAtHead({ port, on, aim, signal }: PostSession, path: string): Promise<readonly string[] | null> {
  try {
    const { text } = await port.ask('file.get', { repository: on.repository, path, ref: aim.head }, signal);
    return text.split('\n').map(line => line.replace(/\r$/, ''));
  } catch (error) {
    if (error instanceof AppError && error.retry === 'never') return null;
    throw error;
  }
}

function suggestionOf(finding: ReviewFinding, lines: readonly string[] | null): SuggestionFacts | null {
  const { suggestion, placement } = finding;
  if (suggestion === null || placement.kind !== 'line') return null;
  const { side, line, endLine } = placement;
  const original = isSuggested(finding) && lines !== null ? lines.slice(line - 1, endLine) : null;
  return { replacement: suggestion, original, side, line, endLine };
}

function bodyOf({ port, by }: PostSession, { finding }: InlineComment, lines: readonly string[] | null): string {
  const { id, fingerprint, severity, title, message, evidence, placement } = finding;
  const moved = placement.kind === 'line' && placement.moved ? `Reported for line ${finding.line}; the code that it quotes stands here.` : null;
  return renderInline(
    {
      ...{ reviewId: by.reviewId, round: by.round },
      ...{ id, fingerprint, severity, title, message, moved },
      evidence: evidence.map(place => ({ ...place, url: null })),
      suggestion: suggestionOf(finding, lines),
      whole: null,
    },
    port.dialect,
  ).body;
}
