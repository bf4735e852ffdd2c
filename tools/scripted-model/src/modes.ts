/**
 * How the scripted model behaves, chosen by the model's name. One row, one behaviour; a test picks the fault that it needs.
 */
export interface Mode {
  readonly name: string;
  readonly about: string;
  /** From the honest answer to what is sent as content; absent: the honest answer. */
  readonly content?: (answer: string) => string | null;
  /** `finish_reason`; `undefined` leaves the field null to the end. */
  readonly finish?: string;
  readonly refusal?: string;
  readonly usage?: false;
  /** What happens after half of the content. */
  readonly breaks?: 'reset' | 'silence' | 'end' | 'error';
  /** Answers one JSON object even when a stream was asked for. */
  readonly ignoresStream?: true;
  /** Content as an array of text parts. */
  readonly parts?: true;
  /** Waits before the first byte. */
  readonly slow?: true;
  /** Answers this instead of a completion. */
  readonly instead?: { readonly status: number; readonly type: string; readonly headers?: Readonly<Record<string, string>>; readonly body: string };
}

const failure = (message: string, type: string, code: string | null) => JSON.stringify({ error: { message, type, param: null, code } });
const json = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) => ({ status, type: 'application/json', headers, body });

const PROSE = 'I had a look at the change and it seems fine overall, though the naming could be { nicer }. Keep it up!';

/** Cuts inside the last finding, or inside the empty list. */
const cutLast = (answer: string) => answer.slice(0, Math.max(answer.lastIndexOf('"path"') + 12, answer.indexOf('[') + 1));

const ROWS: readonly Mode[] = [
  { name: 'scripted', about: 'finds what is planted', finish: 'stop' },
  { name: 'scripted-garbage', about: 'answers prose without JSON', content: () => PROSE, finish: 'stop' },
  {
    name: 'scripted-fenced',
    about: 'wraps the JSON in prose and a code fence',
    content: answer => `Here is my review:\n\`\`\`json\n${answer}\n\`\`\`\nDone.`,
    finish: 'stop',
  },
  { name: 'scripted-empty', about: 'answers an empty text', content: () => '', finish: 'stop' },
  { name: 'scripted-null', about: 'answers with content null', content: () => null, finish: 'stop' },
  { name: 'scripted-parts', about: 'answers content as an array of parts', parts: true, finish: 'stop' },
  { name: 'scripted-cut', about: 'stops at the token cap inside a finding', content: cutLast, finish: 'length' },
  { name: 'scripted-filter', about: 'is stopped by a content filter', content: () => '', finish: 'content_filter' },
  { name: 'scripted-refusal', about: 'refuses in the refusal field', content: () => null, refusal: 'I cannot review this change.', finish: 'stop' },
  { name: 'scripted-odd-finish', about: 'finishes for a reason that nobody knows', finish: 'banana' },
  { name: 'scripted-no-finish', about: 'never gives a reason to finish' },
  { name: 'scripted-no-usage', about: 'gives no token counts', usage: false, finish: 'stop' },
  { name: 'scripted-no-stream', about: 'ignores stream and answers one JSON object', ignoresStream: true, finish: 'stop' },
  { name: 'scripted-reset', about: 'resets the connection after half of the answer', breaks: 'reset', finish: 'stop' },
  { name: 'scripted-stall', about: 'falls silent after half of the answer', breaks: 'silence', finish: 'stop' },
  { name: 'scripted-end', about: 'ends the stream after half of the answer, without a word', breaks: 'end', finish: 'stop' },
  { name: 'scripted-error-mid', about: 'sends an error event after half of the answer', breaks: 'error', finish: 'stop' },
  { name: 'scripted-slow', about: 'waits before the first byte', slow: true, finish: 'stop' },
  { name: 'scripted-html', about: 'answers a web page', instead: { status: 200, type: 'text/html', body: '<!doctype html><title>Sign in</title>' } },
  { name: 'scripted-error-200', about: 'answers 200 with an error object', instead: json(200, failure('The engine is overloaded', 'server_error', null)) },
  {
    name: 'scripted-400',
    about: 'refuses a request field',
    instead: json(400, failure("Unsupported parameter: 'response_format'", 'invalid_request_error', null)),
  },
  { name: 'scripted-403', about: 'refuses the key', instead: json(403, failure('Your project may not use this model', 'permission_error', null)) },
  {
    name: 'scripted-429',
    about: 'limits the rate of calls',
    instead: json(429, failure('Rate limit reached', 'rate_limit_error', 'rate_limit_exceeded'), { 'retry-after': '7' }),
  },
  { name: 'scripted-500', about: 'fails inside', instead: json(500, failure('The server had an error', 'server_error', null)) },
  {
    name: 'scripted-redirect',
    about: 'redirects to another address',
    instead: { status: 307, type: 'text/plain', headers: { location: 'https://elsewhere.example/v1' }, body: '' },
  },
];

export const MODES: ReadonlyMap<string, Mode> = new Map(ROWS.map(mode => [mode.name, mode]));
