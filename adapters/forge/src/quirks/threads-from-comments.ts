/**
 * Quirk: threads for forges whose API has comments on lines, but no threads (ADR 4). Comments are grouped by the comment
 * that they answer, or by a key of their place that the descriptor's mapping makes.
 */
import { LooseComment } from '@weir/contract';
import { z } from 'zod';

const LooseComments = z.array(LooseComment);

/** Ids on the way from an answer to the first comment that are followed at most; a longer way is a circle. */
const MAX_WAY = 1_000;

/**
 * Takes what the result mapping made of a `thread.list`; gives what its canonical schema reads. Comments of a thread stand in
 * the order of time; one whose parent is gone opens a thread of its own. Throws a ZodError for anything that is not a list of comments.
 */
export const threadsFromComments = (mapped: unknown): unknown => {
  const comments = LooseComments.parse(mapped);
  const byId = new Map(comments.map(one => [one.comment.id, one]));
  const threads = new Map<string, LooseComment[]>();
  for (const one of comments) {
    const key = one.group ?? `id:${rootOf(one, byId).comment.id}`;
    const thread = threads.get(key);
    if (thread === undefined) threads.set(key, [one]);
    else thread.push(one);
  }
  return { threads: [...threads.values()].map(threadOf) };
};

function rootOf(comment: LooseComment, byId: ReadonlyMap<string, LooseComment>): LooseComment {
  let here = comment;
  for (let way = 0; way < MAX_WAY; way += 1) {
    const parent = here.parent === null ? undefined : byId.get(here.parent);
    if (parent === undefined) return here;
    here = parent;
  }
  return comment;
}

/** A thread is resolved, or out of date, when any of its comments says so. */
function threadOf(comments: readonly LooseComment[]): unknown {
  const ordered = [...comments].sort((left, right) => Number(left.parent !== null) - Number(right.parent !== null) || byTime(left, right));
  const [first] = ordered;
  return {
    ref: first?.ref,
    resolved: anyOf(ordered.map(one => one.resolved)),
    outdated: anyOf(ordered.map(one => one.outdated)),
    comments: ordered.map(one => one.comment),
  };
}

const byTime = (left: LooseComment, right: LooseComment): number =>
  left.comment.createdAt < right.comment.createdAt ? -1 : left.comment.createdAt > right.comment.createdAt ? 1 : 0;

const anyOf = (values: readonly (boolean | null)[]): boolean | null => (values.every(value => value === null) ? null : values.some(value => value === true));
