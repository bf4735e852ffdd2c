/** Writes a reply at the pace of its reader: nothing is pulled from the gateway while the client's buffer is full. */
import type { ServerResponse } from 'node:http';
import type { ClientReply } from './gateway-door.ts';

/** A client that takes nothing for this long is as good as gone. */
const STALL_MS = 120_000;

export async function sendReply(response: ServerResponse, { status, headers, body }: ClientReply): Promise<void> {
  if (typeof body === 'string') {
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  response.writeHead(status, headers).flushHeaders();
  for await (const text of body) {
    if (response.destroyed) break;
    if (!response.write(text)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const stall = setTimeout(() => response.destroy(), STALL_MS);
    const done = (): void => {
      clearTimeout(stall);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
