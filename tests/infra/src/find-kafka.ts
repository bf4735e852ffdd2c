/** Finds the jars of a Kafka broker, as tests/infra/install-kafka.sh leaves them, and a Java to run them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const VERSION = '4.3.1';
/** On the path. */
export const JAVA = 'java';

/** @returns the folder of the jars; undefined when they or Java are missing. `WEIR_KAFKA_JARS` names another folder; empty means none. */
export function findKafka(): string | undefined {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = process.env['WEIR_KAFKA_JARS'] ?? path.join(cache, 'weir', `kafka-${VERSION}`);
  if (folder === '' || !existsSync(folder) || !readdirSync(folder).some(name => name.startsWith('kafka_2.13-'))) return undefined;
  return spawnSync(JAVA, ['-version'], { stdio: 'ignore' }).status === 0 ? folder : undefined;
}

/**
 * For a test file that needs a broker, which it starts by `startKafka`. Where none is installed, a loud word.
 * @returns undefined where none is installed; the test file then skips.
 * @throws where none is installed and `CI` is `true`.
 */
export function requireKafka(): string | undefined {
  const jars = findKafka();
  if (jars !== undefined) return jars;
  const sentence = 'no Kafka broker is installed; tests/infra/install-kafka.sh installs one';
  if (process.env['CI'] === 'true') throw new Error(`In CI the Kafka suites must run: ${sentence}.`);
  console.warn(`SKIPPED: the Kafka suites, since ${sentence}.`);
  return undefined;
}
