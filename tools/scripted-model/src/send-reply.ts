/** Writes a completion to the wire, and breaks off where the mode says so. */
import type { ServerResponse } from 'node:http';
import { type Completion, streamReply, wholeReply } from './completion.ts';
import type { Mode } from './modes.ts';

const ERROR_EVENT = JSON.stringify({ error: { message: 'The engine failed in mid-answer', type: 'server_error', param: null, code: null } });

const BREAKS: Readonly<Record<NonNullable<Mode['breaks']>, (reply: ServerResponse, streamed: boolean) => void>> = {
  // The bytes so far leave first, else the reset would take them away.
  reset: reply => void setTimeout(() => reply.socket?.resetAndDestroy(), RESET_DELAY_MS),
  silence: () => undefined,
  end: reply => void reply.end(),
  error: (reply, streamed) => void reply.end(streamed ? `data: ${ERROR_EVENT}\n\n` : ''),
};
const RESET_DELAY_MS = 20;

export function sendWhole(reply: ServerResponse, mode: Mode, completion: Completion): void {
  const body = wholeReply(completion);
  reply.writeHead(200, { 'content-type': 'application/json' });
  if (mode.breaks === undefined) return void reply.end(body);
  reply.write(body.slice(0, body.length / 2));
  BREAKS[mode.breaks](reply, false);
}

export function sendStream(reply: ServerResponse, mode: Mode, completion: Completion, includeUsage: boolean): void {
  const { events, half } = streamReply(completion, includeUsage);
  reply.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of mode.breaks === undefined ? events : events.slice(0, half)) reply.write(`data: ${event}\n\n`);
  if (mode.breaks === undefined) reply.end('data: [DONE]\n\n');
  else BREAKS[mode.breaks](reply, true);
}
