/** `weir show [finding]`: the last review of this folder, or one of its findings. */
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { renderFinding, renderHuman } from '@weir/report';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { reviewPlace } from '../composition/open-change.ts';
import { lastReview } from '../last-review.ts';
import { writeJson, writeOut } from '../output.ts';
import { stateFolder } from '../paths.ts';
import { describeTerminal } from '../terminal.ts';

export interface ShowOptions {
  readonly folder: string;
  readonly flags: Flags;
  readonly json: boolean;
  readonly colour: boolean;
}

export async function runShow(id: string | undefined, options: ShowOptions): Promise<ExitCode> {
  const settings = loadSettings(await operatorSources(options.flags));
  const report = await lastReview(stateFolder(settings.get('state.dir')), await reviewPlace(options.folder));
  const { colour, width } = describeTerminal(options.colour);
  if (id === undefined) {
    if (options.json) await writeJson(report);
    else await writeOut(renderHuman(report, { colour, width, verbose: true }));
    return EXIT.clean;
  }
  const finding = report.findings.find(candidate => candidate.id === id || candidate.fingerprint === id);
  if (!finding) throw new AppError('FINDING_UNKNOWN', `the last review has no finding ${id}`);
  if (options.json) await writeJson(finding);
  else await writeOut(renderFinding(report, finding, { colour, width, verbose: true }));
  return EXIT.clean;
}
