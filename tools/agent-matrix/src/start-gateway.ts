/**
 * Starts the gateway as an operator would: `weir serve --role gateway` in data folders of its own, then `weir` commands for the model, the
 * keys and the books, which go through the running gateway.
 */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProtocolName } from '@weir/scripted-upstream';
import { type Ledger, MILLICENTS_A_TOKEN } from './ledger-problems.ts';

export interface GatewayPlan {
  readonly protocol: ProtocolName;
  readonly upstreamOrigin: string;
  readonly upstreamKey: string;
  /** By the names that the agents ask for. */
  readonly models: readonly string[];
}

export interface VirtualKey {
  readonly id: string;
  /** The key itself. */
  readonly key: string;
}

export interface Gateway {
  readonly origin: string;
  /** @param flags of `weir keys create`. */
  readonly makeKey: (label: string, ...flags: readonly string[]) => Promise<VirtualKey>;
  readonly revokeKey: (key: VirtualKey) => Promise<void>;
  readonly ledgerOf: (key: VirtualKey) => Promise<Ledger>;
  /** Another credential, after the upstream has refused or limited those before. */
  readonly addCredential: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const WEIR = fileURLToPath(new URL('../../../apps/cli/bin/weir.js', import.meta.url));
const PROVIDER = 'scripted';
/** The vendor whose facts the scripted upstream has, in each protocol. */
const PRESETS: Readonly<Record<ProtocolName, string>> = { responses: 'openai', chat: 'deepseek', messages: 'anthropic' };
/** What the scripted upstream can do beyond that vendor: one that cannot demand a form refuses the agents' structured output. */
const FACTS: Readonly<Record<ProtocolName, object>> = { responses: {}, chat: { json_schema: 'response_format' }, messages: {} };
const ORIGIN = /http:\/\/[0-9.]{7,15}:[0-9]{1,5}/;
const KEPT_CHARACTERS = 4_000;
const LONGEST_START_MS = 180_000;
const LONGEST_COMMAND_MS = 180_000;
/** $1 is 100,000 millicents, and rates are dollars for a million tokens. */
const DOLLARS_A_MILLICENT = 10;
const RATES = {
  '--input-rate': 'uncachedInput',
  '--cached-input-rate': 'cacheRead',
  '--cache-write-rate': 'cacheWrite',
  '--output-rate': 'output',
  '--reasoning-rate': 'reasoning',
} as const;

const rateFlags = (): readonly string[] => Object.entries(RATES).flatMap(([flag, type]) => [flag, (MILLICENTS_A_TOKEN[type] * DOLLARS_A_MILLICENT).toFixed(2)]);

type Weir = (...args: readonly string[]) => Promise<string>;

/** Runs one command. @throws with what it printed, when it ends with another code than 0. */
const weirIn =
  (env: NodeJS.ProcessEnv): Weir =>
  async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [WEIR, ...args], { env, timeout: LONGEST_COMMAND_MS });
    return stdout;
  };

/** @returns the address from the first line that holds one. @throws with the server's words when it ends, or says nothing in time. */
async function originOf(server: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-KEPT_CHARACTERS)));
  const timer = setTimeout(() => server.kill('SIGKILL'), LONGEST_START_MS);
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const found = ORIGIN.exec(line)?.[0];
      if (found !== undefined) return found;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`weir serve told no address: ${said}`);
}

async function addModels(weir: Weir, { models, protocol, upstreamOrigin }: GatewayPlan, factsFile: string): Promise<void> {
  const provider = ['--provider', PROVIDER, '--preset', PRESETS[protocol], '--base-url', `${upstreamOrigin}/v1`, '--facts', factsFile];
  for (const model of new Set(models)) await weir('models', 'add', model, ...provider, '--upstream-model', PROVIDER, ...rateFlags());
}

const keysThrough = (weir: Weir): Pick<Gateway, 'makeKey' | 'revokeKey' | 'ledgerOf'> => ({
  makeKey: async (label, ...flags) => JSON.parse(await weir('keys', 'create', '--label', label, '--run', label, ...flags, '--json')) as VirtualKey,
  revokeKey: async ({ id }) => void (await weir('keys', 'revoke', id)),
  ledgerOf: async ({ id }) => (JSON.parse(await weir('spend', '--key', id, '--json')) as { total: Ledger }).total,
});

export async function startGateway(plan: GatewayPlan): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-gateway-'));
  const places = ['CONFIG', 'STATE', 'CACHE', 'DATA'].map(place => [`XDG_${place}_HOME`, join(folder, place.toLowerCase())] as const);
  const env = { PATH: process.env['PATH'], HOME: folder, ...Object.fromEntries(places) };
  const keyFile = join(folder, 'upstream-key');
  await writeFile(keyFile, plan.upstreamKey, { mode: 0o600 });
  const factsFile = join(folder, 'facts.json');
  await writeFile(factsFile, JSON.stringify(FACTS[plan.protocol]));
  const args = [WEIR, 'serve', '--role', 'gateway', '--port', '0', '--allow-origin', plan.upstreamOrigin];
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(server, 'close');
  const stop = async () => {
    server.kill('SIGTERM');
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const origin = await originOf(server);
    const weir = weirIn(env);
    const addCredential = async () => void (await weir('models', 'credential', 'add', PROVIDER, '--key-file', keyFile));
    await addModels(weir, plan, factsFile);
    await addCredential();
    return { origin, addCredential, stop, ...keysThrough(weir) };
  } catch (error) {
    await stop();
    throw error;
  }
}
