/**
 * Splits what a vendor reports into parts that hold each token once, and checks them against the vendor's own total
 * (REV-29). Parts that contradict it are given up: a wrong price is worse than none.
 */
import { MAX_LINE_TOKENS, type PartType } from '@weir/contract';
import type { UsageRule } from './usage-rules.ts';

/** The counts of one call as the vendor names them; undefined or null is "not reported", never zero. */
export interface ReportedUsage {
  readonly input?: number | null | undefined;
  readonly cachedInput?: number | null | undefined;
  readonly cacheWrite?: number | null | undefined;
  readonly output?: number | null | undefined;
  readonly reasoning?: number | null | undefined;
  readonly total?: number | null | undefined;
}

export type UsageParts = Readonly<Partial<Record<PartType, number>>>;

export type UsagePartition =
  /** Types without a token are left out, except input and output. */
  | { readonly kind: 'parts'; readonly parts: UsageParts }
  /** Nothing, or not enough, was reported; `tokens` is the vendor's total where it is the only figure. */
  | { readonly kind: 'unknown'; readonly tokens: number | null }
  /** The figures contradict each other; `tokens` is the vendor's total. */
  | { readonly kind: 'contradictory'; readonly tokens: number | null; readonly reason: string };

export const UNKNOWN_USAGE: UsagePartition = { kind: 'unknown', tokens: null };

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_LINE_TOKENS;

/** @param reported undefined or null when the call ended without usage. */
export function partitionUsage(reported: ReportedUsage | null | undefined, rule: UsageRule): UsagePartition {
  if (reported === null || reported === undefined) return UNKNOWN_USAGE;
  const total = isCount(reported.total) ? reported.total : null;
  const strange = Object.entries(reported).find(([, value]) => value !== null && value !== undefined && !isCount(value));
  if (strange !== undefined) return { kind: 'contradictory', tokens: total, reason: `${strange[0]} is not a count of tokens` };
  const { input, output } = reported;
  if (!isCount(input) || !isCount(output)) return { kind: 'unknown', tokens: total };
  const parts = split({ ...reported, input, output }, rule);
  const fault = faultOf(parts, reported.total ?? null, rule);
  return fault === undefined ? { kind: 'parts', parts: withoutEmpty(parts) } : { kind: 'contradictory', tokens: total, reason: fault };
}

type AllParts = Record<PartType, number>;

function split(reported: ReportedUsage & { readonly input: number; readonly output: number }, rule: UsageRule): AllParts {
  const cached = reported.cachedInput ?? 0;
  const cacheWrite = reported.cacheWrite ?? 0;
  const insideInput = (rule.cached === 'inside_input' ? cached : 0) + (rule.cacheWrite === 'inside_input' ? cacheWrite : 0);
  const { reasoning, insideOutput } = splitReasoning(reported, rule);
  return {
    input: reported.input - insideInput,
    cached_input: cached,
    cache_write: cacheWrite,
    output: reported.output - insideOutput,
    reasoning,
  };
}

/** Where the vendor's endpoints differ, what the total holds beyond input and output is reasoning beside the output. */
function splitReasoning(
  { input, output, reasoning: reported, total }: ReportedUsage & { readonly input: number; readonly output: number },
  rule: UsageRule,
): { readonly reasoning: number; readonly insideOutput: number } {
  const beyond = (total ?? 0) - input - output;
  if (rule.reasoning === 'inside_or_beside_output' && beyond > 0 && (reported ?? beyond) === beyond) return { reasoning: beyond, insideOutput: 0 };
  return { reasoning: reported ?? 0, insideOutput: reported ?? 0 };
}

function faultOf(parts: AllParts, total: number | null, rule: UsageRule): string | undefined {
  const negative = Object.entries(parts).find(([, tokens]) => tokens < 0);
  if (negative !== undefined) return `more tokens are said to lie inside ${negative[0]} than it counts`;
  const sum = parts.input + parts.cached_input + parts.cache_write + parts.output + parts.reasoning;
  if (rule.total === 'input_and_output' && total !== null && sum !== total) return `the parts are ${sum} tokens, the vendor's total is ${total}`;
  return undefined;
}

function withoutEmpty(parts: AllParts): UsageParts {
  return Object.fromEntries(Object.entries(parts).filter(([type, tokens]) => tokens > 0 || type === 'input' || type === 'output'));
}
