/**
 * One streamed answer on its way to the client. The client's pace is the upstream's: nothing is read that nobody takes. However the
 * upstream ends, the client's stream gets its own ending.
 */
import { HttpFailure } from '@weir/ports';
import { type GatewayFailure, type StreamMachine, transient } from '@weir/wire';
import { transportFailure } from './upstream-refusal.ts';

/** How long the upstream may take to close after its answer has ended, so that its connection can be used again. */
const CLOSE_MS = 100;

export interface AnswerStream {
  readonly source: AsyncIterable<Uint8Array>;
  readonly machine: StreamMachine;
  readonly schedule: (work: () => void, afterMs: number) => () => void;
  /** Set when the stream has to end for a reason of ours. */
  readonly stopped: () => GatewayFailure | undefined;
  /** The client is gone: nothing more is said. */
  readonly gone: () => boolean;
  /** Closes the upstream's connection. */
  readonly abandon: () => void;
  /** An error that nobody foresaw. */
  readonly onBug: (error: unknown) => void;
  /** Called once, at every ending; waited for. */
  readonly onEnd: () => Promise<void>;
}

export async function* streamAnswer(answer: AnswerStream): AsyncGenerator<string> {
  const { machine, source } = answer;
  const chunks = source[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  try {
    while (!machine.ended()) {
      const next = await chunks.next();
      const text = next.done === true ? machine.push(decoder.decode()) + machine.end() : machine.push(decoder.decode(next.value, { stream: true }));
      if (text !== '') yield text;
    }
  } catch (error) {
    if (!answer.gone()) yield machine.fail(answer.stopped() ?? failureOf(error, answer.onBug));
  } finally {
    if (!machine.ended()) answer.abandon();
    await Promise.all([answer.onEnd(), closeSource(chunks, answer)]);
  }
}

const cut = (): GatewayFailure => transient('upstream_cut', 'Connection lost: the model provider broke off its answer.');

function failureOf(error: unknown, onBug: (error: unknown) => void): GatewayFailure {
  if (error instanceof HttpFailure) return error.kind === 'unreachable' ? cut() : transportFailure(error);
  onBug(error);
  return transient('gateway_error', 'The gateway failed. The operator can read why.');
}

/** Reads on to the end for a moment: only a body that was read whole leaves its connection for the next call. */
async function closeSource(chunks: AsyncIterator<Uint8Array>, { schedule, abandon }: AnswerStream): Promise<void> {
  const callOff = schedule(abandon, CLOSE_MS);
  try {
    while ((await chunks.next()).done !== true);
  } catch {
    // The answer has ended before: how its connection closes changes nothing any more.
  } finally {
    callOff();
  }
}
