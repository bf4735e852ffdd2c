/**
 * Takes out of a result what the lockdown does not let through (PRV-20). It filters what a model reads; it protects no secret,
 * since the provider has already given its answer.
 */
import { neutralised, visibleText } from '@weir/prompt';
import type { Author, AuthorJudge, DropReason } from './author-judge.ts';
import type { AuthorRule } from './content-authors.ts';

/** Pieces of one author that are not shown, for one reason. */
export interface DroppedContent {
  /** Fit to be shown. Null where the result does not name one. */
  readonly author: Author | null;
  /** `comment`, `change`, `diff`… */
  readonly what: string;
  readonly count: number;
  readonly reason: DropReason;
}

export interface LockedDown {
  /** The result without what is dropped; null where it is dropped whole. Its text is as the provider gave it. */
  readonly value: unknown;
  readonly dropped: readonly DroppedContent[];
}

/** Looks all authors of the result up at once. */
type JudgeAll = (authors: readonly (Author | null)[]) => Promise<AuthorJudge>;

interface Piece {
  readonly what: string;
  readonly author: Author | null;
}
type Keeps = (piece: Piece) => boolean;

const DROPPED = Symbol('dropped');
const MAX_NAME = 100;

/** `author` is who wrote content that names nobody; null where the caller does not know. Rejects with what `judgeAll` rejects with. */
export const lockDown = async (rule: AuthorRule, value: unknown, author: Author | null, judgeAll: JudgeAll): Promise<LockedDown> => {
  const pieces: Piece[] = [];
  withoutPieces(rule, value, author, piece => {
    pieces.push(piece);
    return true;
  });
  if (pieces.length === 0) return { value, dropped: [] };
  const judge = await judgeAll(pieces.map(piece => piece.author));
  return {
    value: withoutPieces(rule, value, author, piece => judge(piece.author) === undefined),
    dropped: countDropped(pieces, judge),
  };
};

function withoutPieces(rule: AuthorRule, value: unknown, author: Author | null, keeps: Keeps): unknown {
  if (rule.kind === 'facts') return value;
  if (rule.kind === 'unattributed') return keeps({ what: rule.what, author }) ? value : null;
  const { what, path } = rule;
  const left = keptPart(value, path, entry => keeps({ what, author: (entry[rule.author] ?? null) as Author | null }));
  return left === DROPPED ? null : left;
}

/** An entry whose own list was emptied goes too: the rest of it is about what was dropped. */
function keptPart(value: unknown, path: readonly string[], keeps: (entry: Readonly<Record<string, unknown>>) => boolean): unknown {
  const entry = value as Readonly<Record<string, unknown>>;
  const [list, ...below] = path;
  if (list === undefined) return keeps(entry) ? entry : DROPPED;
  const kept = (entry[list] as readonly unknown[]).map(member => keptPart(member, below, keeps));
  return { ...entry, [list]: kept.filter(member => member !== DROPPED && !isEmptied(member, below)) };
}

const isEmptied = (entry: unknown, [list]: readonly string[]): boolean =>
  list !== undefined && (entry as Readonly<Record<string, readonly unknown[]>>)[list]?.length === 0;

function countDropped(pieces: readonly Piece[], judge: AuthorJudge): readonly DroppedContent[] {
  const counts = new Map<string, DroppedContent>();
  for (const { author, what } of pieces) {
    const reason = judge(author);
    if (reason === undefined) continue;
    const key = JSON.stringify([author?.id, author?.login, reason]);
    const { count } = counts.get(key) ?? { count: 0 };
    counts.set(key, { author: author === null ? null : { id: shownName(author.id), login: shownName(author.login) }, what, count: count + 1, reason });
  }
  return [...counts.values()];
}

const shownName = (name: string): string => neutralised(visibleText(name.slice(0, MAX_NAME)));
