/** Writes a reply to the socket in small pieces that respect no character, and breaks off where the fault says so. */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './faults.ts';
import type { Protocol, Reply, StreamEvent } from './protocol.ts';

/** Prime, so that the cuts wander through the events and through multi-byte characters. */
const PIECE_BYTES = 251;
/** The bytes so far leave first, else the reset would take them away. */
const RESET_DELAY_MS = 20;

const frame = ({ name, data }: StreamEvent): string => `${name === null ? '' : `event: ${name}\n`}data: ${data}\n\n`;

export async function sendStream(response: ServerResponse, protocol: Protocol, reply: Reply, fault: Fault): Promise<void> {
  const events = protocol.events(reply);
  const bytes = Buffer.from((fault.events?.(events, protocol) ?? events).map(frame).join(''));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  for (let start = 0; start < bytes.length && !response.destroyed; start += PIECE_BYTES) {
    response.write(bytes.subarray(start, start + PIECE_BYTES));
    await nextTick();
  }
  await finish(response, fault);
}

export async function sendWhole(response: ServerResponse, protocol: Protocol, reply: Reply, fault: Fault): Promise<void> {
  const body = JSON.stringify(protocol.whole(reply));
  const broken = fault.events !== undefined;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(broken ? body.slice(0, body.length / 2) : body);
  await finish(response, fault);
}

async function finish(response: ServerResponse, fault: Fault): Promise<void> {
  if (fault.ending === 'silence') return;
  if (fault.ending === undefined) return void response.end();
  await pause(RESET_DELAY_MS);
  response.socket?.resetAndDestroy();
}
