/**
 * A provider's host on this machine, for tests: it holds every request against the published description and answers what it is told.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ArrivedRequest, checkPublished } from './check-published.fixture.ts';
import type { PublishedOperation } from './published-operations.fixture.ts';

export interface HermeticAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Printed as JSON, `{}` where absent. */
  readonly json?: unknown;
  readonly text?: string;
}

export interface HermeticServer {
  readonly url: string;
  /** Requests since the last `take`, with what is wrong with each. */
  take(): readonly (ArrivedRequest & { readonly problems: readonly string[] })[];
  /** Answers by this from now on; the default is `{}`. */
  answerWith(answer: (request: ArrivedRequest) => HermeticAnswer): void;
  close(): Promise<void>;
}

/** @param operations of the description; without them requests are only recorded. */
export const startHermeticServer = async (operations: readonly PublishedOperation[] | undefined): Promise<HermeticServer> => {
  let arrived: (ArrivedRequest & { readonly problems: readonly string[] })[] = [];
  let answer: (request: ArrivedRequest) => HermeticAnswer = () => ({});
  const server = createServer((message, response) => {
    void bodyOf(message).then(body => {
      const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
      const request = { method: message.method ?? '', target: message.url ?? '', headers, body };
      arrived.push({ ...request, problems: operations === undefined ? [] : checkPublished(operations, request) });
      const { status = 200, headers: more = {}, json = {}, text } = answer(request);
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(text ?? JSON.stringify(json));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    answerWith: next => {
      answer = next;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
