/**
 * The parse floor: the least that a gateway which reads what passes has to do. The request is parsed and written again; so is each event
 * of a stream and each whole answer. No key, no route, no check, no charge.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const upstream = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });

const again = (data: string): string => (data === '[DONE]' ? data : JSON.stringify(JSON.parse(data)));

async function textOf(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function passEvents(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of answer) {
    const events = (rest + decoder.decode(bytes as Buffer, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) response.write(`data: ${again(event.slice('data: '.length))}\n\n`);
  }
  response.end();
}

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = again(await textOf(incoming));
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const out = request({ agent, host: upstream.hostname, port: upstream.port, path: incoming.url, method: 'POST', headers }, answer => {
    const type = answer.headers['content-type'] ?? '';
    response.writeHead(answer.statusCode ?? 502, { 'content-type': type });
    if (type.startsWith('text/event-stream')) void passEvents(answer, response);
    else void textOf(answer).then(text => response.end(again(text)));
  });
  out.end(body);
}

const server = createServer((incoming, response) => void serve(incoming, response));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
