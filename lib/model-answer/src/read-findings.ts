/**
 * Reads the findings out of a model's answer, whatever shape it has (REV-16), one by one (REV-16a).
 * The promise: what is lost or doubtful is said. `complete` is true only for an answer that was read whole.
 */
import { type AnswerReading, AnswerTally } from './answer-tally.ts';
import { collectReviews, type Review } from './collect-reviews.ts';
import type { FindingSetting } from './finding-of-node.ts';
import type { Doubt } from './json-node.ts';
import { pathMatcher } from './path-matcher.ts';
import { readReview } from './read-review.ts';
import { unescapeText } from './read-string.ts';
import { type Block, type Blocks, scanBlocks } from './scan-blocks.ts';

/** Characters of an answer that are read. */
export const MAX_ANSWER = 1_000_000;
export interface AnswerOptions {
  /** Why the model stopped, as the endpoint says; `unknown` when nobody said. */
  readonly finish: 'stop' | 'length' | 'refused' | 'other' | 'unknown';
  /** First part of the rule ids: `correctness`. */
  readonly rulePrefix: string;
  /** Paths of the change, as the model saw them. A path among them is taken as it stands. */
  readonly knownPaths?: readonly string[];
  /** Cap of the call, to be named when the answer was cut at it. */
  readonly maxOutputTokens?: number;
}

/** Reads an answer. Never throws; linear in its length. */
export function readFindings(text: string, options: AnswerOptions): AnswerReading {
  const setting: FindingSetting = { rulePrefix: options.rulePrefix, matchPath: pathMatcher(options.knownPaths) };
  const answer = text.slice(0, MAX_ANSWER);
  const { blocks, source } = blocksOf(answer);
  const reviews = withBareOnesJoined(blocks.blocks.flatMap(collectReviews));
  const tally = new AnswerTally(source);
  for (const problem of finishProblems(options)) tally.say(problem);
  if (text.length > MAX_ANSWER) tally.say(`the answer is longer than ${MAX_ANSWER} characters`);
  for (const warning of blocks.warnings) tally.say(`in the answer ${warning}`);
  if (reviews.length === 0 && !isEmptyList(blocks)) tally.say(answer.trim() === '' ? 'the answer is empty' : 'the answer holds no list of findings');
  if (options.finish !== 'stop' && reviews.some(review => review.frame === 'bare')) tally.say('nothing marks the end of the findings');
  readAll(reviews, { tally, setting, doubts: blocks.doubts });
  return tally.result();
}

function finishProblems({ finish, maxOutputTokens }: AnswerOptions): readonly string[] {
  if (finish === 'refused') return ['the model refused to answer'];
  if (finish === 'other') return ['the answer broke off, or ended for a reason that is not known'];
  if (finish !== 'length') return [];
  return [
    maxOutputTokens === undefined ? 'the answer was cut at the cap on output tokens' : `the answer was cut at the cap of ${maxOutputTokens} output tokens`,
  ];
}

const holdsReview = (block: Block): boolean => collectReviews(block).length > 0;

/** The whole answer is an empty list, at most inside a code fence. */
const isEmptyList = ({ blocks, outside }: Blocks): boolean =>
  blocks.length === 1 && blocks[0]?.kind === 'array' && /^[\s\ufeff]*(?:```\w*)?\s*(?:```)?\s*$/.test(outside);

/** Looks for JSON; when there is none, once more inside JSON that was packed into a string. */
function blocksOf(answer: string): { readonly blocks: Blocks; readonly source: string } {
  const blocks = scanBlocks(answer, holdsReview);
  if (blocks.blocks.some(holdsReview) || !answer.includes('\\"')) return { blocks, source: answer };
  const around = scanBlocks(answer, block => packedText(block) !== null).blocks.find(block => packedText(block) !== null);
  const source = (around && packedText(around)) ?? unescapeText(answer);
  const packed = scanBlocks(source, holdsReview);
  return packed.blocks.some(holdsReview) ? { blocks: packed, source } : { blocks, source: answer };
}

/** Text of the first member that holds JSON itself, as in the arguments of a tool call; null when none does. */
function packedText(block: Block): string | null {
  if (block.kind !== 'object') return null;
  for (const { value } of block.entries) if (value.kind === 'text' && /^\s*[{[]/.test(value.text)) return value.text;
  return null;
}

/** Findings one after another without a list around them, as in JSON lines, are one review. */
function withBareOnesJoined(reviews: readonly Review[]): readonly Review[] {
  const joined: Review[] = [];
  let run: Review[] = [];
  const endRun = (): void => {
    const first = run[0];
    if (first === undefined) return;
    joined.push({
      ...first,
      items: run.flatMap(review => review.items),
      problem: run.find(review => review.problem !== null)?.problem ?? null,
      end: run.at(-1)?.end ?? first.end,
    });
    run = [];
  };
  for (const review of reviews) {
    if (review.frame === 'bare') run.push(review);
    else {
      endRun();
      joined.push(review);
    }
  }
  endRun();
  return joined;
}

interface ReadSetting {
  readonly tally: AnswerTally;
  readonly setting: FindingSetting;
  readonly doubts: readonly Doubt[];
}

/**
 * Several reviews in one answer are merged, since an answer in parts is as likely as a draft and its revision;
 * where a later one lacks a finding of the one before, that is a doubt.
 */
function readAll(reviews: readonly Review[], { tally, setting, doubts }: ReadSetting): void {
  let earlier: ReadonlySet<string> | null = null;
  for (const review of reviews) {
    for (const { what } of doubtsWithin(doubts, review)) tally.say(`in the answer ${what}`);
    const keys = new Set(readReview(review, tally, setting));
    if (earlier !== null && [...earlier].some(key => !keys.has(key))) tally.say('the answer holds several reviews that differ; their findings are merged');
    earlier = keys;
  }
}

/** Doubts stand in the order of the text, so the first one is found by halving. */
function doubtsWithin(doubts: readonly Doubt[], { start, end }: Review): readonly Doubt[] {
  let low = 0;
  let high = doubts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((doubts[middle]?.at ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while ((doubts[last]?.at ?? end + 1) <= end) last += 1;
  return doubts.slice(low, last);
}
