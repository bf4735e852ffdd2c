/**
 * The ways in which an upstream fails, as data. A fault is played for a model that is called `fault-<name>`, or in place of a turn of the scenario.
 * A reply that is turned away whole has a status and a body; one that breaks in its stream changes the events or how they end.
 */
import type { Protocol, StreamEvent } from './protocol.ts';

export interface Instead {
  readonly status: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Fault {
  readonly instead?: (protocol: Protocol) => Instead;
  readonly events?: (events: readonly StreamEvent[], protocol: Protocol) => readonly StreamEvent[];
  /** `reset` cuts the connection, `silence` leaves it open and says no more; without either the stream ends by itself. */
  readonly ending?: 'reset' | 'silence';
  readonly hidesUsage?: true;
  /** Nothing is sent at all, not even headers. */
  readonly neverBegins?: true;
}

const JSON_TYPE = 'application/json';
const PAGE = '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>';

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the vendor of Messages refuses in other words. */
  readonly messages?: { readonly status?: number; readonly message?: string };
}
const refused = ({ headers = {}, messages = {}, ...told }: Refusal): Fault => ({
  instead: protocol => {
    const { status, message, code } = { ...told, ...(protocol.name === 'messages' ? messages : {}) };
    return { status, type: JSON_TYPE, headers, body: JSON.stringify(protocol.failure(status, message, code ?? null)) };
  },
});
const page = (status: number): Fault => ({ instead: () => ({ status, type: 'text/html', body: PAGE }) });
const firstHalf = (events: readonly StreamEvent[]) => events.slice(0, Math.ceil(events.length / 2));

export const FAULTS = {
  '400': refused({ status: 400, message: "Unsupported value: 'temperature' does not support 0.7 with this model.", code: 'unsupported_value' }),
  '401': refused({ status: 401, message: 'Incorrect API key provided.', code: 'invalid_api_key' }),
  '403': refused({ status: 403, message: 'Your project may not use this model.', code: 'model_not_allowed' }),
  '404': refused({ status: 404, message: 'The model does not exist.', code: 'model_not_found' }),
  '413': refused({ status: 413, message: 'The request exceeds the maximum size.' }),
  '422': refused({ status: 422, message: 'The request cannot be processed.' }),
  '429': refused({ status: 429, message: 'Rate limit reached.', code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } }),
  quota: refused({
    status: 429,
    message: 'You exceeded your current quota.',
    code: 'insufficient_quota',
    messages: { status: 402, message: 'Your credit balance is too low.' },
  }),
  'context-length': refused({
    status: 400,
    message: 'This model has a maximum context length of 1000 tokens.',
    code: 'context_length_exceeded',
    messages: { message: 'prompt is too long: 1001 tokens > 1000 maximum' },
  }),
  '500': refused({ status: 500, message: 'The server had an error.' }),
  overloaded: refused({ status: 503, message: 'The engine is overloaded.', code: 'server_is_overloaded', messages: { status: 529 } }),
  'html-503': page(503),
  'html-200': page(200),
  'error-200': {
    instead: protocol => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(protocol.failure(500, 'The engine failed.', null)) }),
  },
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
