/** The upstream of the benchmark: one JSON answer, or a stream of 100 chunks, each written by itself; it does as little as it can. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';

export const CHUNKS = 100;

const text = 'All models are wrong, but some are useful. ';
const usage = { prompt_tokens: 12, completion_tokens: CHUNKS, total_tokens: 12 + CHUNKS };
const head = { id: 'chatcmpl-1', created: 1_750_000_000, model: 'bench' };
const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const WHOLE = Buffer.from(
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text.repeat(20) }, finish_reason: 'stop' }],
    usage,
  }),
);
const EVENTS = [
  ...Array.from({ length: CHUNKS - 2 }, (_, at) => chunk({ content: `${text}${at} ` }, null)),
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
].map(event => Buffer.from(event));

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const event of EVENTS) {
    if (response.destroyed) return;
    response.write(event);
    await nextTick();
  }
  response.end();
}

const server = createServer((incoming, response) => {
  let streamed = false;
  incoming.on('data', (bytes: Buffer) => {
    streamed ||= bytes.includes('"stream":true');
  });
  incoming.on('end', () => {
    if (streamed) void stream(response);
    else response.writeHead(200, { 'content-type': 'application/json', 'content-length': WHOLE.length }).end(WHOLE);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
