/** The parse floor again, on the libraries that the gateway is built on: Fastify in front, undici behind. */
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { Pool } from 'undici';

const upstream = new URL(process.argv[2] ?? '');
const pool = new Pool(upstream.origin, { connections: 64 });
const again = (data: string): string => (data === '[DONE]' ? data : JSON.stringify(JSON.parse(data)));

async function* events(answer: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of answer) {
    const whole = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = whole.pop() ?? '';
    for (const event of whole) yield `data: ${again(event.slice('data: '.length))}\n\n`;
  }
}

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/v1/chat/completions', async (request, reply) => {
  const body = again((request.body as Buffer).toString());
  const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers: { 'content-type': 'application/json' }, body });
  const type = String(answer.headers['content-type']);
  if (!type.startsWith('text/event-stream')) return reply.type(type).send(again(await answer.body.text()));
  reply.hijack();
  reply.raw.writeHead(answer.statusCode, { 'content-type': type });
  for await (const event of events(answer.body)) reply.raw.write(event);
  reply.raw.end();
  return reply;
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as AddressInfo).port });
