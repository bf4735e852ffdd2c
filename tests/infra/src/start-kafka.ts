/**
 * Starts a Kafka broker for tests: KRaft mode, one node, a temporary data directory, free ports of 127.0.0.1, 256 MB of heap.
 * It can be killed and started again on its port and its data, as a broker that was away.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JAVA } from './find-kafka.ts';
import { freePort } from './free-port.ts';
import type { TlsPair } from './start-postgres.ts';

/** A listener over TLS for one user, who may say their password by `plain` and by `scram-sha-512`. */
export interface KafkaDoor {
  readonly tls: TlsPair;
  readonly user: string;
  readonly password: string;
}

export interface KafkaBroker {
  /** Host and port. */
  readonly address: string;
  /** Of the listener over TLS, by the name `localhost`; undefined where none was asked for. */
  readonly securedAddress: string | undefined;
  readonly dataFolder: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** After `kill`: resolves when the broker listens again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const START_ATTEMPTS = 600;
const START_PAUSE_MS = 100;
const HEAP = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
/** Any 16 bytes in base64. */
const CLUSTER_ID = 'AAAAAAAAAAAAAAAAAAAAAA';

/** Ends the broker, and removes its folder, when its standard input ends: also when the test process was killed and could not say goodbye. */
const WATCHED =
  '"$0" "$@" >broker.log 2>&1 & broker=$!; echo $broker; trap "kill $broker" TERM INT; cat >/dev/null; kill -KILL $broker; wait $broker; rm -rf "$PWD"';

/** One node keeps every replica; groups gather without a pause, and a dead member may be noticed after a second. */
const settings = (port: number, controllerPort: number, dataFolder: string): readonly string[] => [
  'process.roles=broker,controller',
  'node.id=1',
  `controller.quorum.bootstrap.servers=127.0.0.1:${controllerPort}`,
  `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
  `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
  'controller.listener.names=CONTROLLER',
  `log.dirs=${dataFolder}`,
  'offsets.topic.replication.factor=1',
  'offsets.topic.num.partitions=4',
  'transaction.state.log.replication.factor=1',
  'transaction.state.log.min.isr=1',
  'group.initial.rebalance.delay.ms=0',
  'group.min.session.timeout.ms=1000',
  'auto.create.topics.enable=false',
  // A killed broker is let in again when its old self has timed out.
  'broker.session.timeout.ms=2000',
  'broker.heartbeat.interval.ms=500',
  'log.cleaner.enable=false',
  'log.index.size.max.bytes=65536',
  'num.network.threads=2',
  'num.io.threads=2',
];

const JAAS = 'org.apache.kafka.common.security';

/** A third listener beside the two of `settings`, whose lines it takes the place of. */
function doorSettings({ tls, user, password }: KafkaDoor, [port, controllerPort, doorPort]: readonly number[], folder: string): readonly string[] {
  const pair = path.join(folder, 'door.pem');
  writeFileSync(pair, `${tls.key}${tls.certificate}`);
  const door = 'listener.name.door';
  return [
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort},DOOR://127.0.0.1:${doorPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port},DOOR://localhost:${doorPort}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,DOOR:SASL_SSL',
    `${door}.ssl.keystore.type=PEM`,
    `${door}.ssl.keystore.location=${pair}`,
    `${door}.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512`,
    `${door}.plain.sasl.jaas.config=${JAAS}.plain.PlainLoginModule required user_${user}="${password}";`,
    `${door}.scram-sha-512.sasl.jaas.config=${JAAS}.scram.ScramLoginModule required;`,
  ];
}

/** @param jars from `findKafka`. */
export async function startKafka(jars: string, door?: KafkaDoor): Promise<KafkaBroker> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-kafka-'));
  const dataFolder = path.join(folder, 'data');
  const settingsFile = path.join(folder, 'server.properties');
  const [port, controllerPort, doorPort] = [await freePort(), await freePort(), await freePort()];
  const doorLines = door === undefined ? [] : doorSettings(door, [port, controllerPort, doorPort], folder);
  // Of two lines with one key the later one counts.
  writeFileSync(settingsFile, [...settings(port, controllerPort, dataFolder), ...doorLines].join('\n'));
  const java = [...HEAP, '-cp', path.join(jars, '*')];
  const format = ['kafka.tools.StorageTool', 'format', '--cluster-id', CLUSTER_ID, '--config', settingsFile, '--standalone'];
  if (door !== undefined) format.push('--add-scram', `SCRAM-SHA-512=[name=${door.user},password=${door.password}]`);
  execFileSync(JAVA, [...java, ...format], { cwd: folder, stdio: 'ignore' });
  const launch = (): Promise<Running> => launched([...java, 'kafka.Kafka', settingsFile], folder, port);
  let running = await launch();

  return {
    address: `127.0.0.1:${port}`,
    securedAddress: door === undefined ? undefined : `localhost:${doorPort}`,
    dataFolder,
    async kill() {
      const { shell, pid } = running;
      // The shell first: it would remove the data.
      const gone = once(shell, 'exit');
      shell.kill('SIGKILL');
      process.kill(pid, 'SIGKILL');
      await gone;
      while (await answers(port)) await new Promise(resolve => setTimeout(resolve, START_PAUSE_MS));
    },
    async restart() {
      running = await launch();
    },
    async stop() {
      const { shell } = running;
      if (shell.exitCode === null && shell.signalCode === null) {
        const gone = once(shell, 'exit');
        shell.stdin?.end();
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  readonly shell: ChildProcess;
  /** Of the broker itself. */
  readonly pid: number;
}

async function launched(args: readonly string[], folder: string, port: number): Promise<Running> {
  const shell = spawn('sh', ['-c', WATCHED, JAVA, ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  const [text] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(text);
  for (let attempt = 1; !(await answers(port)); attempt += 1) {
    if (attempt === START_ATTEMPTS || !alive(pid)) throw new Error(`The Kafka broker did not start; its word is in ${path.join(folder, 'broker.log')}.`);
    await new Promise(resolve => setTimeout(resolve, START_PAUSE_MS));
  }
  return { shell, pid };
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
