/** Finds secrets without a form of their own, by the name that they are assigned to. */
import { shannonEntropy } from './entropy.ts';
import { type Assignment, findAssignments } from './find-assignments.ts';
import { saysSecret } from './name-sense.ts';
import { isPlaceholder } from './placeholder.ts';
import { secretRules } from './rule-table.ts';
import type { SecretMatch } from './secret-match.ts';
import type { AssignedDetection, SecretRule } from './secret-rule.ts';

interface Row {
  readonly rule: SecretRule;
  readonly detection: AssignedDetection;
}

const rows: readonly Row[] = secretRules.flatMap(rule => rule.detect.flatMap(detection => (detection.kind === 'assigned' ? [{ rule, detection }] : [])));

/** A vendor's name and form stand for themselves; only the generic rows ask what kind of name it is. */
const vendorRows = rows.filter(({ rule }) => rule.tier !== 'generic');

function matchRow({ name, value, start }: Assignment, { rule, detection }: Row): SecretMatch | undefined {
  if (!detection.name.test(name) || !detection.value.test(value)) return undefined;
  const verdict = detection.judge?.(value, value) ?? 'likely';
  if (verdict === 'no' || shannonEntropy(value) < detection.minEntropy) return undefined;
  return { rule, start, end: start + value.length, secret: value, name, verdict };
}

function firstMatch(assignment: Assignment, candidates: readonly Row[]): SecretMatch | undefined {
  for (const row of candidates) {
    const match = matchRow(assignment, row);
    if (match !== undefined) return match;
  }
  return undefined;
}

/**
 * Secrets assigned to telling names in one line; one for each value, by the most specific row.
 * @param bareValues true in files whose values need no quotes
 */
export function scanAssignments(text: string, bareValues: boolean): SecretMatch[] {
  const matches: SecretMatch[] = [];
  for (const assignment of findAssignments(text, bareValues)) {
    if (isPlaceholder(assignment.value)) continue;
    const candidates = saysSecret(assignment.name) ? rows : vendorRows;
    const match = firstMatch(assignment, candidates);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}
