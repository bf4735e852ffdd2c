/** `weir debug convert` and `weir debug stream`: what the gateway makes of a request and of an upstream's stream. Pure: no network, no database. */
import { EXIT, type ExitCode, type UpstreamProtocol, UPSTREAM_PROTOCOLS } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { debugConvert, type DebugInput, debugStream } from '@weir/wire';
import { type Options, textOf } from '../action.ts';
import { writeJson, writeOut } from '../output.ts';
import { parseObject, readText } from '../provider/call-arguments.ts';
import { standardInput } from '../read-diff.ts';

/** Bytes of a recorded stream. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/** Throws USAGE for anything but the name of a protocol. */
export function protocolNamed(value: unknown, flag: string): UpstreamProtocol {
  const protocol = UPSTREAM_PROTOCOLS.find(candidate => candidate === value);
  if (protocol === undefined) throw new AppError('USAGE', `${flag} is one of ${UPSTREAM_PROTOCOLS.join(', ')}`);
  return protocol;
}

async function inputOf(options: Options, request: string, signal: AbortSignal): Promise<DebugInput> {
  const facts = textOf(options, 'facts');
  return {
    client: protocolNamed(options['from'], '--from'),
    upstream: protocolNamed(options['to'], '--to'),
    facts: facts === undefined ? undefined : parseObject(await readText(facts, signal), 'the file of facts'),
    request,
  };
}

/** Wrong facts are the operator's mistake. */
const wrongFacts = (problem: string): AppError => new AppError('CONFIG_INVALID', problem, { next: 'Correct the file that --facts names.' });

/** Prints the plan with the body, or with the error that the client would get; exit code 1 for an error. */
export async function runDebugConvert(options: Options, signal: AbortSignal): Promise<ExitCode> {
  const input = await inputOf(options, '', signal);
  const conversion = debugConvert({ ...input, request: await readText('-', signal) });
  if ('problem' in conversion) throw wrongFacts(conversion.problem);
  await writeJson(conversion);
  return 'error' in conversion ? EXIT.findings : EXIT.clean;
}

async function readStream(signal: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of standardInput(signal)) {
    total += part.length;
    if (total > MAX_STREAM_BYTES) throw new AppError('INPUT_TOO_LARGE', `the stream is larger than ${MAX_STREAM_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Prints the events of the client; exit code 1 where the request is refused or the answer failed. */
export async function runDebugStream(options: Options, requestFile: string, signal: AbortSignal): Promise<ExitCode> {
  const input = await inputOf(options, await readText(requestFile, signal), signal);
  const stream = debugStream(input, await readStream(signal));
  if ('problem' in stream) throw wrongFacts(stream.problem);
  if ('error' in stream) {
    await writeJson(stream);
    return EXIT.findings;
  }
  await writeOut(stream.sse);
  return stream.failure === undefined ? EXIT.clean : EXIT.findings;
}
