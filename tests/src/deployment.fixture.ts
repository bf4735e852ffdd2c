/** A server as four processes on hosts of their own, which share a PostgreSQL database, a Kafka broker, the keyset, and nothing else. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ScriptedModel, startScriptedModel } from '@weir/scripted-model';
import { askOperator, createHost, freePort, type Host, type Program, type ServerProcess } from '@weir/test-infra';
import { openForge, register, type Scene, settingsFor } from './crash/crash-lane.fixture.ts';

const HOOK = path.join(import.meta.dirname, 'crash/crash-hook.js');
const KEY = 'the-operator-key-of-the-deployment';
/** Long enough that several calls are under way when a process is killed. */
const MODEL_LATENCY_MS = 1_000;
/** Two pieces of work at a time, so that both reviewers have some; what a killed one held is free after three seconds. */
const LIMITS = { WEIR_SERVER_REVIEWS: '2', WEIR_SERVER_LEASE_SECONDS: '3' };
const ROLES = ['ingress', 'orchestrator,gateway,sweeper', 'reviewer', 'reviewer'] as const;

export interface Place {
  readonly process: ServerProcess;
  /** It dies by SIGKILL at the first time of that point from now on. */
  aim(effect: string, phase: 'before' | 'after'): void;
}

export interface Deployment extends Scene {
  readonly model: ScriptedModel;
  readonly places: readonly Place[];
  /** A command of the operator, on a machine of their own. */
  command: Host['command'];
  close(): Promise<void>;
}

interface Shared {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  readonly keyset: string;
}

export async function openDeployment(program: Program, database: string, broker: string): Promise<Deployment> {
  const scene = { forge: await openForge(), model: await startScriptedModel({ latencyMs: MODEL_LATENCY_MS }) };
  const ports = { hooks: await freePort(), gateway: await freePort() };
  const [hooks, gateway] = [`http://127.0.0.1:${ports.hooks}`, `http://127.0.0.1:${ports.gateway}`];
  const env = { ...settingsFor(scene), ...LIMITS, WEIR_STORAGE_DATABASE: database, WEIR_BUS_KAFKA: broker, WEIR_GATEWAY_OPERATOR_KEY: KEY };
  const operator = createHost({ program, env });
  // Before any process of the server runs: the keyset is made here, and then lies on each host.
  await register(scene, { command: operator.command, hooks });
  const shared = { program, env, keyset: operator.keyset };
  const places = await Promise.all(
    ROLES.map(role => openPlace(shared, ['--role', role, '--hooks-port', String(role === 'ingress' ? ports.hooks : 0), '--port', String(ports.gateway)])),
  );
  return {
    ...{ ...scene, places },
    command: operator.command,
    weir: {
      effects: () => places.flatMap(place => place.effects()),
      log: () => places.map(place => place.log()).join('\n'),
      ask: (store, method, args) => askOperator({ gateway, key: KEY }, { store, method, args }),
    },
    close: async () => {
      await Promise.all(places.map(place => place.close()));
      operator.remove();
      await Promise.all([scene.forge.close(), scene.model.close()]);
    },
  };
}

async function openPlace({ program, env, keyset }: Shared, args: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-place-'));
  const [aim, effects] = [path.join(folder, 'aim'), path.join(folder, 'effects.log')];
  for (const file of [aim, effects]) writeFileSync(file, '');
  const host = createHost({ program, env, keyset });
  const running = await host.serve(args, { preload: HOOK, env: { WEIR_CRASH_FOLDER: folder } });
  return {
    ...{ process: running, log: host.log },
    aim: (effect: string, phase: 'before' | 'after'): void => writeFileSync(aim, `${effect} ${phase} 1`),
    effects: (): readonly string[] => readFileSync(effects, 'utf8').split('\n').slice(0, -1),
    async close(): Promise<void> {
      await running.stop();
      host.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
