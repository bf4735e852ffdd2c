/**
 * How the review went, as a SARIF invocation (SARIF 2.1.0, 3.20): what was not read whole and what failed is a
 * notification, so that an empty list of results is never taken for a clean change.
 */
import type { FileCoverage, ReviewReport } from '@weir/contract';
import { artifactLocation, sarifText } from './sarif-result.ts';

/** Notifications about single files; the rest is counted in one more. */
export const MAX_FILE_NOTIFICATIONS = 500;

interface Notification {
  readonly level: 'error' | 'warning' | 'note';
  readonly message: { readonly text: string };
  readonly locations?: readonly object[];
}

const notify = (level: Notification['level'], text: string): Notification => ({ level, message: { text: sarifText(text) } });

const HOW = { partial: 'Read in part', skipped: 'Not read' } as const;

function ofFile({ path, reading, reason, byRule }: FileCoverage): Notification[] {
  if (reading === 'full') return [];
  const text = `${HOW[reading]}: ${reason ?? 'no reason given'}`;
  return [{ ...notify(byRule ? 'note' : 'warning', text), locations: [{ physicalLocation: { artifactLocation: artifactLocation(path) } }] }];
}

function ofFiles(coverage: readonly FileCoverage[]): Notification[] {
  // Files left out on purpose come last, so that the bound hides those first.
  const all = coverage.toSorted((a, b) => Number(a.byRule) - Number(b.byRule)).flatMap(ofFile);
  const rest = all.length - MAX_FILE_NOTIFICATIONS;
  return rest > 0 ? [...all.slice(0, MAX_FILE_NOTIFICATIONS), notify('warning', `${rest} more files were not read whole`)] : all;
}

/** One invocation. `executionSuccessful` says that nothing failed, not that everything was read. */
export function sarifInvocation(report: ReviewReport) {
  const failures = report.specialists.filter(run => run.failure !== null);
  const modelFailed = report.model.state === 'failed';
  const notifications = [
    ...failures.map(({ key, failure }) => notify('error', `${key} failed: ${failure}`)),
    ...(report.model.note === '' ? [] : [notify(modelFailed ? 'error' : report.model.state === 'truncated' ? 'warning' : 'note', report.model.note)]),
    ...ofFiles(report.coverage),
    ...report.notes.filter(note => note !== '').map(note => notify('note', note)),
  ];
  return { executionSuccessful: failures.length === 0 && !modelFailed, toolExecutionNotifications: notifications };
}
