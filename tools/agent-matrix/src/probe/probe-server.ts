/**
 * The probe as an MCP server over stdio: one JSON-RPC message a line, three methods.
 * Started by the agents themselves; it needs no package, since it runs in their folders.
 */
import { createInterface } from 'node:readline';
import { PROBE, probeContent } from './probe.ts';

interface Asked {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly word?: string } };
}

const ANSWERS: Readonly<Record<string, (asked: Asked) => object>> = {
  initialize: ({ params }) => ({
    protocolVersion: params?.protocolVersion ?? '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'weir-probe', version: '0.1.0' },
  }),
  'tools/list': () => ({ tools: [{ name: PROBE.name, description: PROBE.description, inputSchema: PROBE.schema }] }),
  'tools/call': ({ params }) => ({ content: probeContent(params?.arguments?.word ?? ''), isError: false }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked;
  if (asked.id === undefined || asked.method === undefined) continue;
  const answer = ANSWERS[asked.method];
  const outcome = answer === undefined ? { error: { code: -32601, message: `There is no method ${asked.method}.` } } : { result: answer(asked) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...outcome })}\n`);
}
