/** Writes a reply at the pace of its reader: nothing is pulled from the gateway while the client's buffer is full. */
import type { ServerResponse } from 'node:http';
import type { ClientReply } from './gateway-door.ts';

/** A silence of this long, or up to twice as long, is broken by a comment. */
export const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE = ': keep-alive\n\n';
/** A client that takes nothing for this long is as good as gone. */
const STALL_MS = 120_000;

export async function sendReply(response: ServerResponse, { status, headers, body }: ClientReply): Promise<void> {
  if (typeof body === 'string') {
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  response.writeHead(status, headers).flushHeaders();
  const silence = watchSilence(response);
  try {
    for await (const text of body) {
      if (response.destroyed) break;
      silence.broken();
      if (!response.write(text)) await drained(response);
    }
  } finally {
    silence.end();
  }
  response.end();
}

/** Keeps the connection while the model thinks. A body comes in whole events, so that a comment never stands inside of one. */
function watchSilence(response: ServerResponse): { readonly broken: () => void; readonly end: () => void } {
  let quiet = true;
  const timer = setInterval(() => {
    if (quiet && !response.writableNeedDrain) response.write(KEEP_ALIVE);
    quiet = true;
  }, KEEP_ALIVE_MS);
  return {
    broken: () => {
      quiet = false;
    },
    end: () => clearInterval(timer),
  };
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
