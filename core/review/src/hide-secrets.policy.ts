/** Lines with a leaked secret are quoted by nobody: neither by the report, nor by the file that keeps it. */
import type { EquivalenceRow } from './equivalence.ts';
import type { SourcedFinding } from './merge-findings.policy.ts';

const overlaps = (a: SourcedFinding, b: SourcedFinding): boolean =>
  a.finding.path === b.finding.path && a.finding.side === b.finding.side && a.finding.line <= b.finding.endLine && b.finding.line <= a.finding.endLine;

/** Drops quote and suggestion of each finding that meets a secret's lines; the secret's own quote is redacted by its rule. */
export function hideSecrets<T extends SourcedFinding>(findings: readonly T[], rows: readonly EquivalenceRow[]): readonly T[] {
  const rules = new Set(rows.filter(row => row.secret === true).map(row => row.id));
  const secrets = findings.filter(item => rules.has(item.finding.rule));
  if (secrets.length === 0) return findings;
  return findings.map(item =>
    rules.has(item.finding.rule) || !secrets.some(secret => overlaps(secret, item))
      ? item
      : { ...item, finding: { ...item.finding, quote: null, suggestion: null } },
  );
}
