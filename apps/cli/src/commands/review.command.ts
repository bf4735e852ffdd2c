/** `weir review`: reviews a change, prints the result on stdout, keeps it for `weir show`, and ends with its exit code. */
import path from 'node:path';
import type { ExitCode, ReviewReport } from '@weir/contract';
import { type Flags, loadSettings, operatorSources, withRepository } from '../composition/load-settings.ts';
import { type ChangeRequest, openChange } from '../composition/open-change.ts';
import { reviewChange } from '../composition/review-change.ts';
import { presentReport } from '../present-report.ts';
import { createProgress, progressMode } from '../progress.ts';
import { describeTerminal } from '../terminal.ts';

export interface ReviewRequest {
  readonly change: ChangeRequest;
  readonly flags: Flags;
  readonly imports: readonly string[];
  readonly colour: boolean;
}

export async function runReview(request: ReviewRequest, signal: AbortSignal): Promise<ExitCode> {
  const sources = await operatorSources(request.flags);
  const first = loadSettings(sources);
  const base = { name: first.get<string | null>('review.base'), explicit: first.resolved.values['review.base'].origin === 'flag' };
  const { change, place, notes } = await openChange(request.change, base);
  const settings = await withRepository(sources, change.readTarget);
  const terminal = describeTerminal(request.colour);
  const progress = createProgress(progressMode(settings, terminal));
  let report: ReviewReport;
  try {
    report = await reviewChange(
      {
        change,
        settings,
        imports: request.imports.map(file => path.resolve(request.change.folder, file)),
        root: place,
        notes,
        onProgress: text => progress.step(text),
      },
      signal,
    );
  } finally {
    progress.end();
  }
  return presentReport(report, settings, place, terminal);
}
