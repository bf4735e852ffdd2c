/** `weir provider record`: makes a live call and keeps it as a cassette, without credentials, tokens and mail addresses (PRV-26). */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type Cassette, makeCassette, recordHttp, type Recorder } from '@weir/cassette';
import { EXIT, type ExitCode } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { findSecrets } from '@weir/specialist-secrets';
import { writeOut } from '../output.ts';
import { type CallTarget, prepareCall, type PreparedCall } from '../provider/prepare-call.ts';

export interface RecordRequest extends CallTarget {
  /** The file that is written. */
  readonly to: string;
  readonly all: boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Nothing that ran on this machine is passed off as a vendor's answer. */
function sourceOf(origin: string, published: string | undefined): Cassette['recordedFrom'] {
  if (LOOPBACK.test(new URL(origin).hostname)) return 'simulator';
  return published !== undefined && new URL(published).origin === origin ? 'vendor' : 'instance';
}

async function makeCalls({ provider, args, options }: PreparedCall, { operation, all }: RecordRequest): Promise<void> {
  if (!all) {
    await provider.call(operation, args, options);
    return;
  }
  const pages = provider.pages(operation, args, options);
  while ((await pages.next()).done !== true);
}

function cassetteText(recorder: Recorder, { read, provider, args, options }: PreparedCall, request: RecordRequest): string {
  const { descriptor } = read.files;
  const shown = provider.dryRun(request.operation, args, options);
  const { origin } = new URL(shown.url);
  const made = makeCassette(
    {
      ...{ provider: descriptor.name, apiVersion: descriptor.spec.api_version, operation: shown.operation },
      recordedFrom: sourceOf(origin, descriptor.base_url),
      recordedAt: new Date().toISOString().slice(0, 10),
    },
    recorder.exchanges(),
    { findTokens: findSecrets, plainHeaders: Object.keys(descriptor.auth.headers).map(name => name.toLowerCase()), origin },
  );
  if (made.ok) return made.text;
  throw new AppError('CASSETTE_REFUSED', `no cassette was written: ${made.reason}`);
}

/** Reads are recorded; a write only where the policy names it, and then it is made. */
export async function runProviderRecord(request: RecordRequest, signal: AbortSignal): Promise<ExitCode> {
  if (existsSync(request.to)) throw new AppError('USAGE', `${request.to} exists`, { next: 'Remove it, or name another file with --to.' });
  const recorders: Recorder[] = [];
  const through: NonNullable<Parameters<typeof prepareCall>[1]['through']> = http => {
    const recorder = recordHttp(http);
    recorders.push(recorder);
    return recorder.http;
  };
  return prepareCall(request, { signal, through }, async call => {
    await makeCalls(call, request);
    const [recorder] = recorders;
    if (recorder === undefined) throw new Error('the way out is wrapped before a call is made');
    const text = cassetteText(recorder, call, request);
    await writeFile(request.to, text, { flag: 'wx' }).catch((cause: unknown) => {
      throw new AppError('OUTPUT_UNWRITABLE', `${request.to} cannot be written`, { cause });
    });
    await writeOut(`${request.to}: ${recorder.exchanges().length} exchanges recorded\n`);
    return EXIT.clean;
  });
}
