/**
 * What a SARIF result means in Weir's words: severity, category, suggestion, and whether it counts at all.
 */
import { CATEGORIES, type Category, SEVERITIES, type Severity } from '@weir/contract';
import { artifactPath, type RegionLines, regionLines } from './import-sarif-place.ts';
import type { DropReason } from './import-tally.ts';
import { at, field, listOf, textOf } from './json-reader.ts';

const LEVEL: ReadonlyMap<unknown, Severity> = new Map<unknown, Severity>([
  ['error', 'major'],
  ['warning', 'minor'],
  ['note', 'note'],
  ['none', 'note'],
]);
/** The level of a result without one (SARIF 2.1.0, 3.27.10). */
const DEFAULT_LEVEL: Severity = 'minor';
/** Bands of code scanning, worst first. */
const SECURITY_BANDS: readonly (readonly [from: number, severity: Severity])[] = [
  [9, 'blocker'],
  [7, 'major'],
  [4, 'minor'],
  [0, 'note'],
];
const NOT_A_PROBLEM: ReadonlySet<unknown> = new Set(['pass', 'notApplicable']);
const OPEN_SUPPRESSIONS: ReadonlySet<unknown> = new Set(['underReview', 'rejected']);

/** Suppressed: it has suppressions, and none of them is still open (SARIF 2.1.0, 3.27.23). */
function isSuppressed(result: unknown): boolean {
  const suppressions = listOf(field(result, 'suppressions'));
  return suppressions.length > 0 && !suppressions.some(suppression => OPEN_SUPPRESSIONS.has(field(suppression, 'status')));
}

/** Why a result is no finding; undefined when it is one. */
export function whyNot(result: unknown): DropReason | undefined {
  if (isSuppressed(result)) return 'it is suppressed in the report';
  if (NOT_A_PROBLEM.has(field(result, 'kind'))) return 'it is not a problem (it passed or does not apply)';
  return field(result, 'baselineState') === 'absent' ? 'it is absent from the newer of two compared runs' : undefined;
}

function securitySeverity(owner: unknown): Severity | undefined {
  const text = at(owner, 'properties', 'security-severity');
  const score = typeof text === 'number' ? text : /^\d{1,2}(?:\.\d{1,9})?$/.test(textOf(text) ?? '') ? Number(text) : Number.NaN;
  return score <= 10 ? SECURITY_BANDS.find(([from]) => score >= from)?.[1] : undefined;
}

/** A security score says more than a level; a result's own words come before its rule's. */
export function severityOf(result: unknown, rule: unknown): Severity {
  const scored = securitySeverity(result) ?? securitySeverity(rule);
  if (scored !== undefined) return scored;
  const kind = field(result, 'kind');
  const ofRule = kind === undefined || kind === 'fail' ? LEVEL.get(at(rule, 'defaultConfiguration', 'level')) : 'note';
  return LEVEL.get(field(result, 'level')) ?? ofRule ?? DEFAULT_LEVEL;
}

const isCategory = (value: unknown): value is Category => CATEGORIES.some(category => category === value);

/** A label that is one of ours, on the result or among the tags of its rule; else null. */
export function categoryOf(result: unknown, rule: unknown): Category | null {
  const labels = [at(result, 'properties', 'category'), at(rule, 'properties', 'category'), ...listOf(at(rule, 'properties', 'tags'))];
  const scored = securitySeverity(result) ?? securitySeverity(rule);
  return labels.find(isCategory) ?? (scored === undefined ? null : 'security');
}

/** Where the result is, and what its other URIs are read with. */
export interface ResultPlace {
  readonly place: RegionLines;
  readonly path: string;
  readonly run: unknown;
  readonly root: string | null;
}

/** The text of the only fix, where it replaces exactly the lines of the finding. */
export function suggestionOf(result: unknown, { place, path, run, root }: ResultPlace): string | null {
  const [fix, ...otherFixes] = listOf(field(result, 'fixes'));
  const [change, ...otherChanges] = listOf(field(fix, 'artifactChanges'));
  const [replacement, ...otherReplacements] = listOf(field(change, 'replacements'));
  if (replacement === undefined || otherFixes.length + otherChanges.length + otherReplacements.length > 0) return null;
  const located = artifactPath(field(change, 'artifactLocation'), run, root);
  const deleted = regionLines(field(replacement, 'deletedRegion'));
  const same = 'path' in located && located.path === path && deleted.wholeLines && deleted.line === place.line && deleted.endLine === place.endLine;
  const text = at(replacement, 'insertedContent', 'text') ?? '';
  return same && typeof text === 'string' ? text.replace(/\r?\n$/, '') : null;
}

/** Severity names of Weir, for reports that it wrote itself. */
export const ownSeverity = (result: unknown): Severity | undefined => SEVERITIES.find(severity => severity === at(result, 'properties', 'severity'));
