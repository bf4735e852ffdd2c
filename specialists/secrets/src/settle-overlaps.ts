/** One string is one finding: of overlapping matches the most specific one stays. */
import { secretRules } from './rule-table.ts';
import type { SecretMatch } from './secret-match.ts';

const rank = new Map(secretRules.map((rule, index) => [rule.id, index]));
const rankOf = (match: SecretMatch): number => rank.get(match.rule.id) ?? secretRules.length;

/** Keeps the match of the earliest rule in the table (of one rule the longest), and drops what overlaps it; in the order of the line. */
export function settleOverlaps(matches: readonly SecretMatch[]): SecretMatch[] {
  if (matches.length < 2) return [...matches];
  const best = [...matches].sort((a, b) => rankOf(a) - rankOf(b) || b.end - b.start - (a.end - a.start));
  const kept: SecretMatch[] = [];
  for (const match of best) if (!kept.some(other => match.start < other.end && other.start < match.end)) kept.push(match);
  return kept.sort((a, b) => a.start - b.start);
}
