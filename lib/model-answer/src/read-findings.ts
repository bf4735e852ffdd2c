/**
 * Reads the findings out of a model's answer, whatever shape it has (REV-16), one by one (REV-16a).
 * The promise: what is lost or doubtful is said. `complete` is true only for an answer that was read whole.
 */
import { type AnswerReading, AnswerTally } from './answer-tally.ts';
import { collectReviews, CUT, type Review } from './collect-reviews.ts';
import type { FindingSetting } from './finding-of-node.ts';
import type { Doubt } from './json-node.ts';
import { holdsReview, packedTexts, packsReview } from './packed-text.ts';
import { pathMatcher } from './path-matcher.ts';
import { readReview } from './read-review.ts';
import { unescapeText } from './read-string.ts';
import { saysUnfinished } from './says-unfinished.ts';
import { type Blocks, scanBlocks } from './scan-blocks.ts';

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
  const reviews = withBareOnesJoined(blocks.blocks.flatMap((block, at) => collectReviews(block).map(review => ({ ...review, block: at }))));
  const tally = new AnswerTally(source);
  for (const problem of finishProblems(options)) tally.say(problem);
  if (text.length > MAX_ANSWER) tally.say(`the answer is longer than ${MAX_ANSWER} characters`);
  for (const warning of blocks.warnings) tally.say(`in the answer ${warning}`);
  if (reviews.length === 0 && !isEmptyList(blocks)) tally.say(answer.trim() === '' ? 'the answer is empty' : 'the answer holds no list of findings');
  if (blocks.blocks.some(block => holdsReview(block) && saysUnfinished(block))) tally.say('the answer says of itself that it is not whole');
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

/** The whole answer is an empty list, at most inside a code fence. */
const isEmptyList = ({ blocks, outside }: Blocks): boolean =>
  blocks.length === 1 && blocks[0]?.kind === 'array' && /^[\s\ufeff]*(?:```\w*)?\s*(?:```)?\s*$/.test(outside);

/** Looks for JSON, also for JSON that was packed into strings, as in the arguments of tool calls; `source` is the text that was read. */
function blocksOf(answer: string): { readonly blocks: Blocks; readonly source: string } {
  let packed = false;
  const outer = scanBlocks(answer, block => {
    if (holdsReview(block)) return true;
    const packs = packsReview(block);
    packed ||= packs;
    return packs;
  });
  if (packed) return unpacked(outer, answer);
  if (outer.blocks.some(holdsReview) || !answer.includes('\\"')) return { blocks: outer, source: answer };
  const source = unescapeText(answer);
  const inner = scanBlocks(source, holdsReview);
  return inner.blocks.some(holdsReview) ? { blocks: inner, source } : { blocks: outer, source: answer };
}

/** Reads what is packed in the blocks in its place, in the order of the answer. */
function unpacked(outer: Blocks, answer: string): { readonly blocks: Blocks; readonly source: string } {
  const source = outer.blocks.flatMap(block => (holdsReview(block) ? [answer.slice(block.start, block.end)] : packedTexts(block))).join('\n');
  const inner = scanBlocks(source, holdsReview);
  const cut = outer.blocks.some(block => block.ending === 'eof') ? [CUT] : [];
  return { blocks: { ...inner, warnings: [...outer.warnings, ...inner.warnings, ...cut] }, source };
}

/** A review, and the number of the block that holds it. */
interface PlacedReview extends Review {
  readonly block: number;
}

/** Findings one after another without a list around them, as in JSON lines, are one review. */
function withBareOnesJoined(reviews: readonly PlacedReview[]): readonly PlacedReview[] {
  const joined: PlacedReview[] = [];
  let run: PlacedReview[] = [];
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
 * Several reviews in one answer are merged. Those of one block are its parts; those of two blocks are as likely a draft and its
 * revision, so where a later block lacks a finding of the one before, that is a doubt.
 */
function readAll(reviews: readonly PlacedReview[], { tally, setting, doubts }: ReadSetting): void {
  let earlier: ReadonlySet<string> = new Set();
  let keys = new Set<string>();
  let block = reviews[0]?.block;
  const endBlock = (): void => {
    if ([...earlier].some(key => !keys.has(key))) tally.say('the answer holds several reviews that differ; their findings are merged');
    earlier = keys;
    keys = new Set();
  };
  for (const review of reviews) {
    if (review.block !== block) endBlock();
    block = review.block;
    for (const { what } of doubtsWithin(doubts, review)) tally.say(`in the answer ${what}`);
    for (const key of readReview(review, tally, setting)) keys.add(key);
  }
  endBlock();
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
