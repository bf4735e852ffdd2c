/**
 * The ways in which an upstream fails, as data. A fault is played for a model that is called `fault-<name>`, or in place of a turn of the scenario.
 * A reply that is turned away whole has a status and a body; one that breaks in its stream changes the events or how they end.
 */
import type { Protocol, StreamEvent } from './protocol.ts';

export interface Fault {
  readonly instead?: {
    readonly status: number;
    readonly type: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: (protocol: Protocol) => string;
  };
  readonly events?: (events: readonly StreamEvent[], protocol: Protocol) => readonly StreamEvent[];
  /** `reset` cuts the connection, `silence` leaves it open and says no more; without either the stream ends by itself. */
  readonly ending?: 'reset' | 'silence';
  readonly hidesUsage?: true;
  /** Nothing is sent at all, not even headers. */
  readonly neverBegins?: true;
}

const JSON_TYPE = 'application/json';
const PAGE = '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>';
const refused = (status: number, message: string, code: string | null = null, headers: Readonly<Record<string, string>> = {}): Fault => ({
  instead: { status, type: JSON_TYPE, headers, body: protocol => JSON.stringify(protocol.failure(status, message, code)) },
});
const firstHalf = (events: readonly StreamEvent[]) => events.slice(0, Math.ceil(events.length / 2));

export const FAULTS = {
  '400': refused(400, "Unsupported value: 'temperature' does not support 0.7 with this model.", 'unsupported_value'),
  '401': refused(401, 'Incorrect API key provided.', 'invalid_api_key'),
  '403': refused(403, 'Your project may not use this model.', 'model_not_allowed'),
  '404': refused(404, 'The model does not exist.', 'model_not_found'),
  '429': refused(429, 'Rate limit reached.', 'rate_limit_exceeded', { 'retry-after': '1' }),
  quota: refused(429, 'You exceeded your current quota.', 'insufficient_quota'),
  'context-length': refused(400, 'This model has a maximum context length of 1000 tokens.', 'context_length_exceeded'),
  '500': refused(500, 'The server had an error.'),
  'html-503': { instead: { status: 503, type: 'text/html', body: () => PAGE } },
  'html-200': { instead: { status: 200, type: 'text/html', body: () => PAGE } },
  'error-200': { instead: { status: 200, type: JSON_TYPE, body: protocol => JSON.stringify(protocol.failure(500, 'The engine is overloaded.', null)) } },
  cut: { events: firstHalf, ending: 'reset' },
  end: { events: firstHalf },
  'error-mid': { events: (events, protocol) => [...firstHalf(events), protocol.failureEvent('The engine failed in the midst.')] },
  silence: { events: firstHalf, ending: 'silence' },
  never: { neverBegins: true },
  duplicate: { events: events => events.flatMap(event => [event, event]) },
  reversed: { events: events => events.toReversed() },
  'no-usage': { hidesUsage: true },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
const PREFIX = 'fault-';
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/** @returns the fault that a model's name asks for. */
export const faultOf = (model: string): FaultName | undefined => FAULT_NAMES.find(name => model === `${PREFIX}${name}`);
