/**
 * Holds a specialist to its declaration: a finding has the form of the contract, belongs to the change,
 * and stands under a rule that the specialist declares, no more severe than the rule.
 */
import { Finding, SEVERITIES, type Finding as FindingValue } from '@weir/contract';
import type { Rule } from '@weir/specialist-kit';

/**
 * Why the finding is refused; null when it is fine.
 * @param paths paths of the files that the check was given, old and new ones.
 */
export function refusalOf(finding: FindingValue, rules: readonly Rule[], paths: ReadonlySet<string>): string | null {
  const checked = Finding.safeParse(finding);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    return `a finding does not have the form of a finding (${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown reason'})`;
  }
  const rule = rules.find(({ id }) => id === finding.rule);
  if (rule === undefined) return `the rule "${finding.rule}" is not declared`;
  if (SEVERITIES.indexOf(finding.severity) < SEVERITIES.indexOf(rule.severity)) return `a finding of "${finding.rule}" is more severe than its rule`;
  if (finding.endLine < finding.line) return `a finding of "${finding.rule}" ends before it begins`;
  return paths.has(finding.path) ? null : `a finding of "${finding.rule}" is about a file that the check was not given`;
}
