/** `weir doctor`: what this machine and these settings can do, each line an observation. */
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@weir/contract';
import { gitVersion, openRepository } from '@weir/git';
import { AppError } from '@weir/kernel';
import { type Flags, loadSettings, operatorSources } from '../composition/load-settings.ts';
import { probeModel } from '../composition/open-model.ts';
import { loadSpecialists, rulesOf } from '../composition/specialists.ts';
import { writeJson, writeOut } from '../output.ts';
import { configFile, stateFolder } from '../paths.ts';
import { WEIR_VERSION } from '../version.ts';

interface Observation {
  readonly name: string;
  readonly state: 'ok' | 'advice' | 'failed';
  readonly text: string;
}

type Look = () => Promise<Observation['text'] | Pick<Observation, 'state' | 'text'>>;

const MIN_NODE = 20;

async function observe(name: string, look: Look): Promise<Observation> {
  try {
    const seen = await look();
    return typeof seen === 'string' ? { name, state: 'ok', text: seen } : { name, ...seen };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { name, state: 'failed', text: `${error.message}; ${error.next}` };
  }
}

const nodeVersion: Look = async () => ({
  state: Number(process.versions.node.split('.')[0]) >= MIN_NODE ? 'ok' : 'failed',
  text: `${process.versions.node} (needs ${MIN_NODE} or newer)`,
});

const repository =
  (folder: string): Look =>
  async () => {
    try {
      const { root, shallow } = await openRepository(folder);
      return shallow ? { state: 'advice', text: `${root}, a shallow clone: older commits cannot be compared` } : root;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_A_REPOSITORY') return { state: 'advice', text: `${error.message}; a piped diff still works` };
      throw error;
    }
  };

const writableFolder =
  (folder: string): Look =>
  async () => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
      return folder;
    } catch (cause) {
      throw new AppError('STATE_UNWRITABLE', `${folder} cannot be written`, { cause });
    }
  };

/** Exit code 0 when nothing failed, else 3. */
export async function runDoctor(folder: string, flags: Flags, json: boolean, signal: AbortSignal): Promise<ExitCode> {
  const settings = loadSettings(await operatorSources(flags));
  const observations = [
    await observe('weir', async () => WEIR_VERSION),
    await observe('node', nodeVersion),
    await observe('git', async () => (await gitVersion(folder)).join('.')),
    await observe('repository', repository(folder)),
    await observe('settings file', async () => {
      const file = configFile();
      return (await access(file).then(
        () => true,
        () => false,
      ))
        ? file
        : { state: 'advice', text: `${file} (not there: defaults hold)` };
    }),
    await observe('state', writableFolder(stateFolder(settings.get('state.dir')))),
    await observe('specialists', async () => {
      const specialists = await loadSpecialists([]);
      return `${specialists.map(({ key }) => key).join(', ')} (${rulesOf(specialists).length} rules)`;
    }),
    await observe('model', () => probeModel(settings, signal)),
  ];
  if (json) await writeJson({ observations });
  else for (const { name, state, text } of observations) await writeOut(`${state.padEnd(6)}  ${name.padEnd(13)}  ${text}\n`);
  return observations.some(({ state }) => state === 'failed') ? EXIT.configuration : EXIT.clean;
}
