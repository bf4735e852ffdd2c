/** `weir review`: reviews a change, prints the result on stdout, keeps it for `weir show`, and ends with its exit code. */
import path from 'node:path';
import { ERRORS, type ExitCode, type FailOn, type OutputFormat, type ReviewReport } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { renderGithub, renderHuman, renderJson, renderJsonl, renderRdjson, renderSarif } from '@weir/report';
import { exitCodeOf } from '@weir/review';
import { type Flags, type LoadedSettings, loadSettings, operatorSources, withRepository } from '../composition/load-settings.ts';
import { type ChangeRequest, openChange } from '../composition/open-change.ts';
import { reviewChange } from '../composition/review-change.ts';
import { loadSpecialists, rulesOf } from '../composition/specialists.ts';
import { keepReview } from '../last-review.ts';
import { writeOut } from '../output.ts';
import { stateFolder } from '../paths.ts';
import { createProgress } from '../progress.ts';
import { describeTerminal, type Terminal } from '../terminal.ts';

export interface ReviewRequest {
  readonly change: ChangeRequest;
  readonly flags: Flags;
  readonly imports: readonly string[];
  readonly post: string | undefined;
  readonly colour: boolean;
}

type Render = (report: ReviewReport, terminal: Terminal, verbose: boolean) => string | Promise<string>;

const RENDERERS: Readonly<Record<OutputFormat, Render>> = {
  human: (report, { colour, width }, verbose) => renderHuman(report, { colour, width, verbose }),
  json: report => renderJson(report),
  jsonl: report => renderJsonl(report),
  sarif: async report => renderSarif(report, { rules: rulesOf(await loadSpecialists([])) }),
  rdjson: report => renderRdjson(report),
  github: report => renderGithub(report),
};

const progressMode = (settings: LoadedSettings, terminal: Terminal): 'line' | 'lines' | 'none' => {
  if (settings.get<boolean>('output.quiet')) return 'none';
  if (terminal.watched) return 'line';
  return settings.get<boolean>('output.verbose') ? 'lines' : 'none';
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

export async function runReview(request: ReviewRequest, signal: AbortSignal): Promise<ExitCode> {
  if (request.post !== undefined) {
    throw new AppError('NOT_AVAILABLE', '--post is not available: posting needs the provider engine, which is not built yet', {
      next: 'Print the findings instead: weir review --format github, sarif or rdjson.',
    });
  }
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
  const format = settings.get<OutputFormat>('output.format');
  // Kept and decided before it is printed: a reader that closes the pipe early changes neither.
  await keep(settings, place, report);
  const exitCode = exitCodeOf(report, settings.get<FailOn>('review.failOn'));
  process.exitCode = exitCode;
  await writeOut(await RENDERERS[format](report, terminal, settings.get<boolean>('output.verbose')));
  if (report.model.state === 'failed' && format !== 'human') process.stderr.write(modelFailure(report));
  return exitCode;
}
