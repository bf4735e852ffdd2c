/** Compares what a detector found with what was planted. */
import type { Planted } from './build-corpus.ts';

export interface Measurement {
  readonly planted: number;
  readonly recall: number;
  /** Share of the found secrets that carry the expected rule. */
  readonly named: number;
  /** Share of the findings that stand on a planted secret. */
  readonly precision: number;
  readonly missed: readonly Planted[];
}

/** What a detector has to say of a finding: where it is and which rule says so. */
interface Located {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly rule: string;
}

export function measure(planted: readonly Planted[], findings: readonly Located[]): Measurement {
  const byPath = new Map<string, Located[]>();
  for (const finding of findings) byPath.set(finding.path, [...(byPath.get(finding.path) ?? []), finding]);
  const on = ({ path, line, endLine }: Planted): readonly Located[] => (byPath.get(path) ?? []).filter(found => found.line <= endLine && line <= found.endLine);
  const missed = planted.filter(secret => on(secret).length === 0);
  const found = planted.length - missed.length;
  const named = planted.filter(secret => on(secret).some(finding => finding.rule === secret.rule)).length;
  const hits = new Set(planted.flatMap(on)).size;
  return {
    planted: planted.length,
    recall: planted.length === 0 ? 1 : found / planted.length,
    named: found === 0 ? 0 : named / found,
    precision: findings.length === 0 ? 1 : hits / findings.length,
    missed,
  };
}
