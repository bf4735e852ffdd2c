/** A report on stdout in the format of the settings, kept for `weir show`, with its exit code. */
import { ERRORS, type ExitCode, type FailOn, type OutputFormat, type ReviewReport } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { renderGithub, renderHuman, renderJson, renderJsonl, renderRdjson, renderSarif } from '@weir/report';
import { exitCodeOf } from '@weir/review';
import type { LoadedSettings } from './composition/load-settings.ts';
import { loadSpecialists, rulesOf } from './composition/specialists.ts';
import { keepReview } from './last-review.ts';
import { writeOut } from './output.ts';
import { stateFolder } from './paths.ts';
import type { Terminal } from './terminal.ts';

type Render = (report: ReviewReport, terminal: Terminal, verbose: boolean) => string | Promise<string>;

const RENDERERS: Readonly<Record<OutputFormat, Render>> = {
  human: (report, { colour, width }, verbose) => renderHuman(report, { colour, width, verbose }),
  json: report => renderJson(report),
  jsonl: report => renderJsonl(report),
  sarif: async report => renderSarif(report, { rules: rulesOf(await loadSpecialists([])) }),
  rdjson: report => renderRdjson(report),
  github: report => renderGithub(report),
};

/** Keeping the report is a service: a state directory that cannot be written costs `weir show`, not the review. */
async function keep(settings: LoadedSettings, place: string, report: ReviewReport): Promise<void> {
  try {
    await keepReview(stateFolder(settings.get('state.dir')), place, report);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!settings.get<boolean>('output.quiet')) process.stderr.write(`note: ${error.message}; weir show will not find it\n`);
  }
}

const modelFailure = ({ model }: ReviewReport): string => `${model.note}\n${model.failure === null ? '' : `try: ${ERRORS[model.failure].next}\n`}`;

/** @param place what the report is kept under. */
export async function presentReport(report: ReviewReport, settings: LoadedSettings, place: string, terminal: Terminal): Promise<ExitCode> {
  const format = settings.get<OutputFormat>('output.format');
  // Kept and decided before it is printed: a reader that closes the pipe early changes neither.
  await keep(settings, place, report);
  const exitCode = exitCodeOf(report, settings.get<FailOn>('review.failOn'));
  process.exitCode = exitCode;
  await writeOut(await RENDERERS[format](report, terminal, settings.get<boolean>('output.verbose')));
  if (report.model.state === 'failed' && format !== 'human') process.stderr.write(modelFailure(report));
  return exitCode;
}
