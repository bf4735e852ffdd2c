/**
 * The report as SARIF 2.1.0: one run, checked in the tests against the schema that OASIS publishes.
 */
import type { ReviewReport } from '@weir/contract';
import type { RuleInfo } from './rule-info.ts';
import { sarifInvocation } from './sarif-invocation.ts';
import { SOURCE_ROOT, sarifResult, sarifText } from './sarif-result.ts';
import { sarifRules } from './sarif-rule.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export interface SarifOptions {
  /** Rules of the specialists that ran; a rule that is not among them gets an entry with its id. */
  readonly rules: readonly RuleInfo[];
  /** Absolute URI of the repository without credentials. SARIF gives a revision only together with it. */
  readonly repositoryUri?: string;
}

function provenance({ change }: ReviewReport, repositoryUri: string | undefined): { versionControlProvenance?: object[] } {
  if (repositoryUri === undefined || change.head === null) return {};
  return { versionControlProvenance: [{ repositoryUri, revisionId: change.head, mappedTo: { uriBaseId: SOURCE_ROOT } }] };
}

/** Indented JSON with a final line feed. */
export function renderSarif(report: ReviewReport, { rules, repositoryUri }: SarifOptions): string {
  const { descriptors, indexOf } = sarifRules(rules, report.findings);
  const run = {
    tool: { driver: { name: 'Weir', version: report.weir, rules: descriptors } },
    automationDetails: { id: 'weir/review/' },
    originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: 'The root of the repository' } } },
    columnKind: 'utf16CodeUnits',
    ...provenance(report, repositoryUri),
    invocations: [sarifInvocation(report)],
    results: report.findings.map(finding => sarifResult(finding, indexOf.get(finding.rule) ?? -1)),
    properties: { headline: sarifText(report.headline), complete: report.complete, at: report.at, base: report.change.base, head: report.change.head },
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}
