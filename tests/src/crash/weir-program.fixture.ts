/** The server of one installation as a process that dies where a test wants it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { askOperator, createHost, freePort, type Program, type ServerProcess } from '@weir/test-infra';

const HOOK = path.join(import.meta.dirname, 'crash-hook.js');
const OPERATOR_KEY = 'the-operator-key-of-the-crash-tests';

export interface WeirSettings {
  readonly program: Program;
  /** Null: the embedded database, in a folder of its own. */
  readonly database: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** One installation: its data, its settings and its addresses stay when its process dies. */
export interface Weir {
  /** Where forges deliver to. */
  readonly hooks: string;
  start(): Promise<void>;
  running(): boolean;
  /** Ends the process at the n-th time of that point from now on; null spares it. */
  aim(point: { readonly effect: string; readonly phase: string; readonly occurrence: number } | null): void;
  /** Resolves when the process has ended by SIGKILL. */
  readonly died: () => Promise<void>;
  kill(): Promise<void>;
  /** Points that were passed so far. */
  effects(): readonly string[];
  /** Last lines of the log. */
  log(): string;
  /** A command of the operator. Throws where it fails. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** What an operator's command asks of the running server. */
  ask<Answer>(store: string, method: string, args: readonly unknown[]): Promise<Answer>;
  /** Stops the server, and removes the data. */
  close(): Promise<void>;
}

export async function createWeir({ program, database, env }: WeirSettings): Promise<Weir> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-crash-'));
  const [hooksPort, gatewayPort] = [await freePort(), await freePort()];
  const files = { aim: path.join(folder, 'aim'), effects: path.join(folder, 'effects.log') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const operator = { WEIR_GATEWAY_OPERATOR_KEY: OPERATOR_KEY };
  const host = createHost({ program, env: { ...operator, ...(database === null ? {} : { WEIR_STORAGE_DATABASE: database }), ...env } });
  let server: ServerProcess | undefined;

  return {
    hooks: `http://127.0.0.1:${hooksPort}`,
    running: () => server?.running() === true,
    async start() {
      const ports = ['--port', String(gatewayPort), '--hooks-port', String(hooksPort)];
      server = await host.serve(ports, { preload: HOOK, env: { WEIR_CRASH_FOLDER: folder } });
    },
    aim: point => writeFileSync(files.aim, point === null ? '' : `${point.effect} ${point.phase} ${point.occurrence}`),
    async died() {
      if ((await server?.ended()) !== 'SIGKILL') throw new Error(`The server ended by itself:\n${host.log()}`);
    },
    kill: async () => server?.kill(),
    effects: () => readFileSync(files.effects, 'utf8').split('\n').slice(0, -1),
    log: host.log,
    command: host.command,
    ask: (store, method, args) => askOperator({ gateway: `http://127.0.0.1:${gatewayPort}`, key: OPERATOR_KEY }, { store, method, args }),
    async close() {
      await server?.stop();
      host.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
