/**
 * The mark by which Weir finds its own comment again (REV-18): hidden in the first line where the forge hides it, else shown
 * as the last line. Whatever a model or a repository wrote stands between, so that none of it is taken for a mark.
 */
export interface Marker {
  readonly kind: 'summary' | 'finding' | 'reply' | 'answer' | 'notice' | 'description';
  /** First 16 digits of the review's id (`reviewTag`): tells the comments of two deployments on one change apart. */
  readonly review: string;
  readonly round: number;
  /** Id of the finding, as `3a`; null for one about the change. */
  readonly finding: string | null;
  /**
   * Of a finding the first digits of its fingerprint (`findingKey`), of a summary or a description the head that
   * was read, of an answer or a notice the hashed comment that it answers (`commentKey`); else null.
   */
  readonly key: string | null;
}

const TAG_DIGITS = 16;
const KEY_DIGITS = 32;

/** @param reviewId hex, at least 16 digits. */
export const reviewTag = (reviewId: string): string => reviewId.slice(0, TAG_DIGITS);

/** By which the same remark is known in another round, whose ids are others. @param fingerprint hex, at least 32 digits. */
export const findingKey = (fingerprint: string): string => fingerprint.slice(0, KEY_DIGITS);

/** By which the answer to a comment is known. @param hashed hex, at least 32 digits: the hash of the comment's id. */
export const commentKey = (hashed: string): string => hashed.slice(0, KEY_DIGITS);

const payload = ({ kind, review, round, finding, key }: Marker): string =>
  `weir:1 ${kind} ${review} ${round} ${finding ?? '-'}${key === null ? '' : ` ${key}`}`;

export const hiddenMark = (marker: Marker): string => `<!-- ${payload(marker)} -->`;
export const shownMark = (marker: Marker): string => `\`${payload(marker)}\``;

const PAYLOAD = 'weir:1 (summary|finding|reply|answer|notice|description) ([0-9a-f]{16}) ([0-9]{1,9}) ([0-9]{1,9}[a-z]{1,6}|-)(?: ([0-9a-f]{7,64}))?';
const HIDDEN = new RegExp(`^<!-- ${PAYLOAD} -->`);
const SHOWN = new RegExp(`^\`${PAYLOAD}\`$`);

/** The mark of a comment's body as a forge gives it back; undefined when there is none. Who wrote the comment is for the caller to check. */
export function readMarker(body: string): Marker | undefined {
  const lines = body.trim().split('\n');
  const found = HIDDEN.exec(lines[0] ?? '') ?? SHOWN.exec(lines.at(-1)?.trim() ?? '');
  if (found === null) return undefined;
  const [, kind = '', review = '', round = '', finding = '', key = null] = found;
  return { kind: kind as Marker['kind'], review, round: Number(round), finding: finding === '-' ? null : finding, key };
}

const TASK = /^- \[([ xX])\] .{0,400}<!-- weir:task ([a-z0-9-]{1,40}) -->$/;

export const taskMark = (key: string): string => `<!-- weir:task ${key} -->`;

/** Keys of the boxes that are ticked in one of Weir's own comments. */
export function readTicks(body: string): readonly string[] {
  return body.split('\n').flatMap(line => {
    const [, box, key] = TASK.exec(line.trim()) ?? [];
    return key !== undefined && box !== ' ' ? [key] : [];
  });
}
