/** Stands between an agent and the gateway and counts the requests for an answer, also those that the gateway never lets in. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface RequestCounter {
  readonly origin: string;
  /** @returns how many there were since the last time. */
  readonly take: () => number;
  readonly close: () => Promise<void>;
}

const ANSWERS = /\/(responses|chat\/completions|messages)$/;

export async function countRequests(target: string): Promise<RequestCounter> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST' && ANSWERS.test(incoming.url?.split('?', 1)[0] ?? '')) count += 1;
    const onward = request(`${target}${incoming.url}`, { method: incoming.method ?? 'GET', headers: incoming.headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, outgoing, () => undefined);
    });
    // Either end may go away at any moment; then the other one goes too.
    onward.once('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    pipeline(incoming, onward, () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
