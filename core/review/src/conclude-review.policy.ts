/**
 * From everything that a round brought in to its report: place, merge, number, count, and say so in one sentence.
 * Pure: time and hash arrive from outside.
 */
import {
  type ChangeSummary,
  ERRORS,
  EXIT,
  type ExitCode,
  type FailOn,
  type FileCoverage,
  type Finding,
  type ModelOutcome,
  REPORT_SCHEMA_VERSION,
  type ReviewFinding,
  type ReviewReport,
  SEVERITIES,
  type SpecialistRun,
} from '@weir/contract';
import type { DiffFile } from '@weir/diff';
import { coverageOf, isComplete } from './coverage.policy.ts';
import { equivalence, type EquivalenceRow } from './equivalence.ts';
import { filterImported } from './filter-imported.policy.ts';
import { fingerprints, type Hash } from './fingerprint.ts';
import { headline } from './headline.ts';
import { hideSecrets } from './hide-secrets.policy.ts';
import { type MergedFinding, mergeFindings } from './merge-findings.policy.ts';
import { indexChange, placeFinding } from './place-finding.policy.ts';

export interface RoundFacts {
  readonly weir: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** 1 for the first round; a part of each finding's visible id. */
  readonly round: number;
  readonly change: Omit<ChangeSummary, 'files'>;
  readonly files: readonly DiffFile[];
  readonly ignored: ReadonlyMap<string, string>;
  readonly findings: readonly { readonly finding: Finding; readonly source: string }[];
  /** Findings of other tools (REV-20b): kept only where they are about lines of the diff, or about a whole file of it. */
  readonly imported: readonly { readonly finding: Finding; readonly source: string }[];
  /** What could not be made part of the change; each makes the review incomplete. */
  readonly lost: readonly string[];
  readonly partial: readonly { readonly path: string; readonly reason: string }[];
  readonly specialists: readonly SpecialistRun[];
  readonly model: { readonly outcome: ModelOutcome; readonly coverage: readonly FileCoverage[] };
  readonly rules: readonly EquivalenceRow[];
  /** The report lists this many findings; the rest is counted in a note (REV-14). */
  readonly maxFindings: number;
  readonly notes: readonly string[];
}

/** `a`..`z`, then `aa`, `ab` …: short, and never a digit, so that `1a` reads as round and letter. */
export function letters(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return `${rest >= 0 ? letters(rest) : ''}${String.fromCharCode(97 + (index % 26))}`;
}

const numbered = (round: number, merged: readonly MergedFinding[], prints: readonly string[]): readonly ReviewFinding[] =>
  merged.map(({ finding, sources, placement }, at) => ({ ...finding, id: `${round}${letters(at)}`, fingerprint: prints[at] ?? '', sources, placement }));

/** A review without a check and without a model has read nothing (PRO-2). */
const unreadReason = ({ specialists, model }: RoundFacts): string | null =>
  specialists.length > 0 || model.outcome.state === 'ran' || FAILED_MODEL.has(model.outcome.state)
    ? null
    : 'nothing looked at it: the chosen specialists need a model';

const FAILED_MODEL: ReadonlySet<ModelOutcome['state']> = new Set(['failed', 'truncated']);

/** Concludes a round. Every finding that comes in is in the report, merged into one that names its source, or counted in a note. */
export function concludeReview(facts: RoundFacts, hash: Hash): ReviewReport {
  const change = indexChange(facts.files);
  const place = ({ finding, source }: { readonly finding: Finding; readonly source: string }) => ({
    finding,
    source,
    placement: placeFinding(finding, change),
  });
  const { kept, notes: left } = filterImported(facts.imported.map(place), facts.ignored);
  const own = facts.findings.filter(({ finding }) => !facts.ignored.has(finding.path)).map(place);
  const merged = mergeFindings(hideSecrets([...own, ...kept], facts.rules), equivalence(facts.rules));
  const listed = merged.slice(0, facts.maxFindings);
  const findings = numbered(facts.round, listed, fingerprints(listed, facts.files, hash));
  const coverage = coverageOf({ files: facts.files, ignored: facts.ignored, partial: facts.partial, unread: unreadReason(facts), model: facts.model.coverage });
  const failures = facts.specialists.filter(run => run.failure !== null).length + (FAILED_MODEL.has(facts.model.outcome.state) ? 1 : 0) + facts.lost.length;
  const unlisted = merged.length - listed.length;
  const more = unlisted > 0 ? [`${unlisted} more findings are not listed: review.maxFindings is ${facts.maxFindings}.`] : [];
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    weir: facts.weir,
    at: facts.at,
    change: { ...facts.change, files: coverage.length },
    headline: headline(
      merged.map(({ finding }) => finding.severity),
      coverage,
      failures,
    ),
    complete: isComplete(coverage) && failures === 0,
    findings,
    coverage,
    specialists: facts.specialists,
    model: facts.model.outcome,
    notes: [...facts.notes, ...facts.lost, ...left, ...more],
  };
}

/**
 * Exit code of a review: findings at or above the threshold first, then the failure of a model that read nothing, then an
 * incomplete reading.
 */
export function exitCodeOf(report: ReviewReport, failOn: FailOn): ExitCode {
  const threshold = failOn === 'never' ? -1 : SEVERITIES.indexOf(failOn);
  if (report.findings.some(finding => SEVERITIES.indexOf(finding.severity) <= threshold)) return EXIT.findings;
  if (report.model.state === 'failed') return report.model.failure === null ? EXIT.upstream : ERRORS[report.model.failure].exit;
  return report.complete ? EXIT.clean : EXIT.incomplete;
}
