/**
 * Runs the deterministic checks of all specialists side by side (SPEC-6). A check that fails costs its own findings only,
 * and is named; its files count as partially read. Running it twice reads twice and changes nothing.
 */
import type { Finding, SpecialistRun } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import type { CheckContext, CheckResult, PartialReading, ReviewPart, Specialist } from '@weir/specialist-kit';
import { refusalOf } from './refused-finding.ts';

export interface SourcedFinding {
  readonly finding: Finding;
  /** Key of the specialist. */
  readonly source: string;
}

export interface RunChecksInput {
  readonly specialists: readonly Specialist[];
  readonly context: CheckContext;
  /** Settles when time is up; checks that have not ended then have failed. Absent: no deadline. */
  readonly deadline?: Promise<unknown>;
}

export interface ChecksDone {
  readonly findings: readonly SourcedFinding[];
  /** One file may be named several times, by several checks. */
  readonly partial: readonly PartialReading[];
  /** One for each specialist that has a check, in the order of the specialists. */
  readonly runs: readonly SpecialistRun[];
}

/** Reasons that the sentence of a failed check names. */
const MAX_REASONS = 3;

interface Check {
  readonly key: string;
  readonly review: ReviewPart;
  readonly files: readonly DiffFile[];
  readonly run: () => Promise<CheckResult>;
}

/** What a check came to; `failure` is a phrase of one line. */
type Attempt = { readonly result: CheckResult; readonly failure: null } | { readonly result: null; readonly failure: string };

/** Never rejects for a check that fails; when the context's signal is aborted, the checks stop with what they have. */
export async function runChecks({ specialists, context, deadline }: RunChecksInput): Promise<ChecksDone> {
  const checks = specialists.flatMap(specialist => checkOf(specialist, context));
  const reports = await Promise.all(checks.map(async check => reportOf(check, await attemptOf(check, deadline))));
  return {
    findings: reports.flatMap(report => report.findings),
    partial: reports.flatMap(report => report.partial),
    runs: reports.map(report => report.run),
  };
}

function checkOf({ key, review }: Specialist, context: CheckContext): readonly Check[] {
  const check = review?.check;
  if (review === undefined || check === undefined) return [];
  const files = context.files.filter(file => review.appliesTo(pathOf(file)));
  return [{ key, review, files, run: () => check({ ...context, files }) }];
}

/** A check without files is not started. */
async function attemptOf({ files, run }: Check, deadline: Promise<unknown> | undefined): Promise<Attempt> {
  if (files.length === 0) return { result: { findings: [], partial: [] }, failure: null };
  const running = new Promise<CheckResult>(resolve => resolve(run())).then(
    (result): Attempt => ({ result, failure: null }),
    (error: unknown): Attempt => ({ result: null, failure: firstLine(error) }),
  );
  const late = deadline?.then((): Attempt => ({ result: null, failure: 'it did not end before its deadline' }));
  return late === undefined ? running : Promise.race([running, late]);
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] || 'it gave no reason';

interface CheckReport extends Omit<ChecksDone, 'runs'> {
  readonly run: SpecialistRun;
}

/** Findings that a check may not report are refused and named; the rest of it counts. */
function reportOf({ key, review, files }: Check, attempt: Attempt): CheckReport {
  if (attempt.result === null) {
    const reason = `the specialist ${key} failed: ${attempt.failure}`;
    return { findings: [], partial: files.map(file => ({ path: pathOf(file), reason })), run: { key, failure: attempt.failure, findings: 0 } };
  }
  const paths = new Set(files.flatMap(({ oldPath, newPath }) => [oldPath, newPath].filter(path => path !== null)));
  const findings: SourcedFinding[] = [];
  const refused: PartialReading[] = [];
  for (const finding of attempt.result.findings) {
    const refusal = refusalOf(finding, review.rules, paths);
    if (refusal === null) findings.push({ finding, source: key });
    else refused.push({ path: finding.path, reason: `a finding of the specialist ${key} was refused: ${refusal}` });
  }
  const reasons = [...new Set(refused.map(({ reason }) => reason))].slice(0, MAX_REASONS);
  const failure = refused.length === 0 ? null : `${refused.length} of its findings were refused; ${reasons.join('; ')}`;
  const partial = [...attempt.result.partial, ...refused.filter(({ path }) => paths.has(path))];
  return { findings, partial, run: { key, failure, findings: findings.length } };
}
