/** What a round has left on the forge, in one sentence. */
import type { ReviewEventOf } from '@weir/contract';

const SHORT_COMMIT = 7;

const counted = (count: number, one: string, many: string): readonly string[] => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]);

/** @param posted null for a round that observed. */
export function postedLine(
  { round, head }: { readonly round: number; readonly head: string },
  posted: ReviewEventOf<'RoundPosted'> | null,
  url: string,
): string {
  const named = `round ${round} at ${head.slice(0, SHORT_COMMIT)}`;
  if (posted === null) return `${named} only observed: nothing is posted on ${url}`;
  const { findings, answers, summary } = posted;
  const parts = [
    ...counted(findings.filter(({ thread }) => thread !== null).length, 'comment on lines', 'comments on lines'),
    ...counted(answers.filter(({ reply }) => reply !== null).length, 'reply', 'replies'),
    ...counted(answers.filter(({ resolved }) => resolved === true).length, 'thread resolved', 'threads resolved'),
    ...(summary === null ? [] : ['the summary']),
    'the check',
  ];
  return `${named} stands on ${url}: ${parts.join(', ')}`;
}
