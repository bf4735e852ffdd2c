/** A place that webhooks are sent to: it keeps each delivery's headers and raw bytes, and answers 200. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly url: string;
  readonly received: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }[];
  readonly close: () => Promise<void>;
}

/** Listens on a free port of this machine; `close` leaves nothing behind. */
export async function startReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = [];
  const server: Server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      received.push({ headers: message.headers as Record<string, string>, body: Buffer.concat(chunks) });
      response.end('ok');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise(resolve => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close };
}
