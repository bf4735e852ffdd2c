/** Sends the same request again and again over some kept connections, and measures. */
import { Agent, request } from 'node:http';

export interface Target {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LoadResult {
  readonly seconds: number;
  /** Median milliseconds from the request to the first byte of its answer. */
  readonly firstByteMs: number;
}

const body = (stream: boolean): Buffer =>
  Buffer.from(
    JSON.stringify({
      model: 'bench',
      messages: [
        { role: 'system', content: 'You answer in one sentence. '.repeat(40) },
        { role: 'user', content: 'What is the use of models?' },
      ],
      temperature: 0.2,
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    }),
  );

/** @returns milliseconds to the first byte. Throws for another status than 200 and for an answer without its end. */
function ask(agent: Agent, { port, headers }: Target, bytes: Buffer, end: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const out = request(
      {
        ...{ agent, host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST' },
        headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
      },
      answer => {
        let first = 0;
        let tail = '';
        answer.on('data', (part: Buffer) => {
          if (first === 0) first = performance.now() - began;
          tail = (tail + part.toString('latin1')).slice(-200);
        });
        answer.on('end', () => {
          if (answer.statusCode === 200 && tail.includes(end)) resolve(first);
          else reject(new Error(`status ${answer.statusCode}, ending in ${tail}`));
        });
        answer.on('error', reject);
      },
    );
    out.on('error', reject);
    out.end(bytes);
  });
}

export const median = (values: readonly number[]): number => [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

export async function load(
  target: Target,
  { stream, connections, requests }: { readonly stream: boolean; readonly connections: number; readonly requests: number },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const bytes = body(stream);
  const end = stream ? 'data: [DONE]' : '}';
  const firsts: number[] = [];
  let left = requests;
  const began = performance.now();
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      firsts.push(await ask(agent, target, bytes, end));
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - began) / 1_000;
  agent.destroy();
  return { seconds, firstByteMs: median(firsts) };
}
