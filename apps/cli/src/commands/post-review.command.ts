/** `weir review --post <address>`: one round of a change on its forge, without a server and without a database (REV-20a). */
import type { Change, ExitCode, OutputFormat } from '@weir/contract';
import { createHttp } from '@weir/http';
import { AppError } from '@weir/kernel';
import { oneLine } from '@weir/report';
import type { StageForge } from '@weir/review-workers';
import { type Flags, type LoadedSettings, loadSettings, operatorSources, withRepository } from '../composition/load-settings.ts';
import { reviewPlace } from '../composition/open-change.ts';
import { openModel } from '../composition/open-model.ts';
import { readCredential } from '../gateway/read-credential.ts';
import { writeOut } from '../output.ts';
import { openChangeForge } from '../post/change-forge.ts';
import { oneRound, type RoundShown } from '../post/one-round.ts';
import { presentReport } from '../present-report.ts';
import { createProgress, progressMode } from '../progress.ts';
import { readChangeAddress } from '../registration/change-address.ts';
import { describeTerminal } from '../terminal.ts';

export interface PostRequest {
  readonly url: string;
  readonly flags: Flags;
  /** A file with the token, or `-`; undefined for the one of the settings. */
  readonly tokenFile: string | undefined;
  /** Another round of a head that has had one. */
  readonly force: boolean;
  /** Whose last review it becomes. */
  readonly folder: string;
  readonly colour: boolean;
}

export async function runPostReview(request: PostRequest, signal: AbortSignal): Promise<ExitCode> {
  const sources = await operatorSources(request.flags);
  const operator = loadSettings(sources);
  const address = readChangeAddress(request.url, operator.get<string | null>('forge.provider'));
  const token = await tokenOf(request, operator);
  const model = await openModel(operator);
  const http = createHttp({ allowOrigins: operator.get<readonly string[]>('network.allowOrigins') });
  const progress = createProgress(progressMode(operator, describeTerminal(request.colour)));
  try {
    const forge = await openChangeForge({ address, settings: operator, token, http }, signal);
    const change = await forge.port.ask('change.get', { repository: forge.repository.path, change: address.change }, signal);
    const settings = await withRepository(sources, path => fileAt(forge, change, path, signal));
    const onStep = (sentence: string): void => progress.step(sentence);
    const shown = await oneRound({ ...request, forge, change, settings, model, onStep }, signal);
    progress.end();
    return await show(request, settings, shown);
  } finally {
    progress.end();
    http.close();
    await model?.close();
  }
}

async function tokenOf({ tokenFile }: PostRequest, { get }: LoadedSettings): Promise<string> {
  const token = tokenFile === undefined ? (get<string | null>('forge.token') ?? '').trim() : await readCredential(tokenFile);
  if (token !== '') return token;
  throw new AppError('FORGE_UNAUTHORIZED', 'there is no token for the forge', { next: 'Set WEIR_FORGE_TOKEN, or name a file with --token-file.' });
}

/** A file of the target branch (REV-36); undefined where there is none. */
async function fileAt({ port, repository }: StageForge, { base }: Change, path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await port.ask('file.get', { repository: repository.path, path, ref: base.branch }, signal)).text;
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORGE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The sentence is for people: beside a format of machines it goes where notes go. */
async function show({ folder, colour }: PostRequest, settings: LoadedSettings, { report, line }: RoundShown): Promise<ExitCode> {
  const exitCode = await presentReport(report, settings, await reviewPlace(folder), describeTerminal(colour));
  const text = `${oneLine(line)}\n`;
  if (settings.get<OutputFormat>('output.format') === 'human') await writeOut(text);
  else if (!settings.get<boolean>('output.quiet')) process.stderr.write(text);
  return exitCode;
}
