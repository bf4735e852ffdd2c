/** Delivers as a forge does, so many a second whatever the answers are, and afterwards once more, under the same id, what got no 202. */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Sending {
  readonly url: string;
  readonly secret: string;
  readonly count: number;
  readonly perSecond: number;
  readonly bodyOf: (number: number) => string;
  /** After each 202, with how many there are. */
  readonly onTaken: (taken: number) => void;
}

export interface Sent {
  /** Milliseconds to each 202, in the order in which they came. */
  readonly times: readonly number[];
  /** Attempts that got none. */
  readonly refused: number;
}

const HEADERS = { 'content-type': 'application/json', 'x-gitea-event': 'pull_request', 'x-gitea-event-type': 'pull_request' };

/** The openings of the changes from number 1 on, until each is taken. */
export async function sendAll({ url, secret, count, perSecond, bodyOf, onTaken }: Sending): Promise<Sent> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  async function isTaken(number: number): Promise<boolean> {
    const body = Buffer.from(bodyOf(number));
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { ...HEADERS, 'x-gitea-delivery': `delivery-${number}`, 'x-gitea-signature': signature };
    const began = performance.now();
    if ((await post(url, { agent, headers, body })) !== 202) return false;
    onTaken(times.push(performance.now() - began));
    return true;
  }
  async function sendOnce(numbers: readonly number[]): Promise<readonly number[]> {
    const began = performance.now();
    const taken = numbers.map(async (number, index) => {
      await pause(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
      return isTaken(number);
    });
    const outcomes = await Promise.all(taken);
    return numbers.filter((_, index) => outcomes[index] === false);
  }
  let refused = 0;
  for (let numbers: readonly number[] = Array.from({ length: count }, (_, index) => index + 1); numbers.length > 0; refused += numbers.length) {
    numbers = await sendOnce(numbers);
  }
  agent.destroy();
  return { times, refused };
}

interface Attempt {
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** @returns the status; 0 where nobody answers. */
function post(url: string, { agent, headers, body }: Attempt): Promise<number> {
  return new Promise(resolve => {
    const call = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': String(body.byteLength) } });
    call.on('response', reply => reply.resume().on('close', () => resolve(reply.statusCode ?? 0)));
    call.on('error', () => resolve(0));
    call.end(body);
  });
}
