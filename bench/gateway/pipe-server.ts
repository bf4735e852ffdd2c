/** A plain pipe: bytes of the client to the upstream and back, nothing is read. */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const upstream = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, response) => {
  const out = request(
    { agent, host: upstream.hostname, port: upstream.port, path: incoming.url, method: 'POST', headers: { ...incoming.headers, host: upstream.host } },
    answer => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? '' });
      answer.pipe(response);
    },
  );
  incoming.pipe(out);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
