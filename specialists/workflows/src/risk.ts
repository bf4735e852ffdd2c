/**
 * A risk that a file holds, and its translation into a finding.
 * A risk counts only if the change adds one of the lines that make it.
 */
import type { Finding, Severity } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { findingOf, type Rule } from '@weir/specialist-kit';

export interface Place {
  readonly line: number;
  readonly note: string;
}
export interface Risk {
  readonly rule: Rule;
  readonly severity: Severity;
  /** Where the harm happens. */
  readonly sink: Place;
  /** The other lines that make the risk, the one nearest to the sink first. */
  readonly parts: readonly Place[];
  readonly message: string;
  /** From the text of the sink's line to its replacement, only where that is certain. */
  readonly rewrite?: ((line: string) => string | undefined) | undefined;
}

const RANK: Readonly<Record<Severity, number>> = { blocker: 0, major: 1, minor: 2, note: 3 };
const MAX_EVIDENCE = 12;

/** The less severe of two. */
export const milder = (a: Severity, b: Severity): Severity => (RANK[a] >= RANK[b] ? a : b);

const placesOf = (risk: Risk): readonly Place[] => {
  const seen = new Set<number>();
  return [risk.sink, ...risk.parts].filter(place => !seen.has(place.line) && seen.add(place.line));
};

interface Anchored {
  readonly risk: Risk;
  readonly line: number;
  readonly others: readonly Place[];
}

/** Puts a risk on its touched line nearest to the sink; undefined when the change touches none of its lines. */
const anchored = (risk: Risk, touched: ReadonlySet<number>): Anchored | undefined => {
  const places = placesOf(risk);
  const anchor = places.find(place => touched.has(place.line));
  return anchor && { risk, line: anchor.line, others: places };
};

const merged = (file: DiffFile, group: readonly Anchored[], quote: string | null): Finding => {
  const [first] = group;
  if (first === undefined) throw new RangeError('a group of risks is never empty');
  const worst = group.reduce((found, next) => (RANK[next.risk.severity] < RANK[found.risk.severity] ? next : found), first);
  const places = new Map<number, Place>();
  for (const { others } of group) for (const place of others) if (!places.has(place.line)) places.set(place.line, place);
  const alone = group.length === 1 && first.line === first.risk.sink.line;
  const suggestion = alone && quote !== null ? first.risk.rewrite?.(quote) : undefined;
  return findingOf(worst.risk.rule, file, {
    line: first.line,
    severity: worst.risk.severity,
    message: [...new Set(group.map(({ risk }) => risk.message))].join('\n'),
    quote,
    suggestion: suggestion ?? null,
    evidence: [...places.values()].slice(0, MAX_EVIDENCE).map(({ line, note }) => ({ path: pathOf(file), line, note })),
  });
};

/**
 * The findings of a file's risks: those that a touched line takes part in, one per rule and line, in order of lines.
 * `lineText` answers the text of a line of the new side.
 */
export const findingsOf = (
  file: DiffFile,
  risks: readonly Risk[],
  touched: ReadonlySet<number>,
  lineText: (line: number) => string | null,
): readonly Finding[] => {
  const groups = new Map<string, Anchored[]>();
  for (const risk of risks) {
    const found = anchored(risk, touched);
    if (found === undefined) continue;
    const key = `${found.line} ${risk.rule.id}`;
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  const findings = [...groups.values()].map(group => merged(file, group, lineText(group[0]?.line ?? 0)));
  return findings.sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : 1));
};
