/**
 * Rules as SARIF reporting descriptors (SARIF 2.1.0, 3.49), with the properties that code scanning reads.
 */
import type { Category, ReviewFinding, Severity } from '@weir/contract';
import { wellFormed } from './plain-text.ts';
import type { RuleInfo } from './rule-info.ts';
import { SEVERITY_ROWS } from './severity-row.ts';

const PROBLEM_SEVERITY = { error: 'error', warning: 'warning', note: 'recommendation' } as const;

/** `secrets/aws-key` to `AwsKey`: SARIF wants an identifier that people understand. */
const nameOf = (id: string): string =>
  id
    .slice(id.indexOf('/') + 1)
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Code scanning calls an alert a security alert only when it carries this number. */
export const securitySeverity = (category: Category | null, severity: Severity): { 'security-severity'?: string } =>
  category === 'security' ? { 'security-severity': SEVERITY_ROWS[severity].securityBand } : {};

function describe(rule: RuleInfo) {
  const level = SEVERITY_ROWS[rule.severity].sarif;
  return {
    id: rule.id,
    name: nameOf(rule.id),
    shortDescription: { text: wellFormed(rule.title) },
    fullDescription: { text: wellFormed(rule.why) },
    help: { text: wellFormed(`${rule.why}\n\n${rule.fix}`), markdown: wellFormed(`**Why:** ${rule.why}\n\n**Instead:** ${rule.fix}`) },
    defaultConfiguration: { level },
    properties: {
      ...(rule.category === null ? {} : { tags: [rule.category], category: rule.category }),
      severity: rule.severity,
      'problem.severity': PROBLEM_SEVERITY[level],
      ...securitySeverity(rule.category, rule.severity),
    },
  };
}

export interface SarifRules {
  readonly descriptors: readonly object[];
  /** Place of a rule in `descriptors`. */
  readonly indexOf: ReadonlyMap<string, number>;
}

/** The known rules, then a bare entry for each rule that only a model or an imported report has named. */
export function sarifRules(known: readonly RuleInfo[], findings: readonly ReviewFinding[]): SarifRules {
  const indexOf = new Map<string, number>();
  const descriptors: object[] = [];
  const add = (id: string, descriptor: object) => {
    if (indexOf.has(id)) return;
    indexOf.set(id, descriptors.length);
    descriptors.push(descriptor);
  };
  for (const rule of known) add(rule.id, describe(rule));
  for (const { rule } of findings) add(rule, { id: rule, name: nameOf(rule) });
  return { descriptors, indexOf };
}
