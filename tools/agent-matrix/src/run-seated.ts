/** Seats one agent in folders of its own, and runs it once through one door against the scripted upstream. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EDITED_FILE, type FaultName, PICTURE_FILE, type Recording, type ScriptedUpstream, type StepName } from '@weir/scripted-upstream';
import type { Agent, AgentSeat } from './agents/agent.ts';
import { PROBE_PICTURE } from './probe/probe.ts';
import { type AgentEnd, runAgent } from './run-agent.ts';

/** 16 × 16 pixels, blue: the picture in the workspace. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOQszlBEmIY1TCqYfhqAACDBSIQ9OB7HgAAAABJRU5ErkJggg==';
const PROBE_SERVER = fileURLToPath(new URL('./probe/probe-server.ts', import.meta.url));
/** By its address, since the agents start the server from folders that know no packages. */
const LOADER = import.meta.resolve('tsx');

/** The way in for one run. */
export interface Door {
  readonly origin: string;
  readonly key: string;
  /** Played by the upstream in place of the agent's first turns, one each. */
  readonly faults: readonly FaultName[];
  readonly prompts: AgentSeat['prompts'];
  readonly bare: boolean;
  /** Those of the script; all of them where it is not said. */
  readonly steps?: readonly StepName[];
}

export interface SeatedRun {
  readonly recording: Recording;
  readonly end: AgentEnd;
  /** What stands in the file that the script edits; null where it is not there. */
  readonly edited: string | null;
  readonly seconds: number;
}

/** A git repository with one file and a picture. */
async function makeWorkspace(folder: string): Promise<void> {
  const git = (...args: string[]) => promisify(execFile)('git', ['-c', 'user.name=weir', '-c', 'user.email=weir@localhost', ...args], { cwd: folder });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.txt'), 'hello\n');
  await writeFile(join(folder, PICTURE_FILE), Buffer.from(PICTURE, 'base64'));
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-q', '-m', 'Begin');
}

const written = (folder: string): Promise<string | null> => readFile(join(folder, EDITED_FILE), 'utf8').catch(() => null);

export async function runSeated(
  agent: Agent,
  program: string,
  upstream: ScriptedUpstream,
  { origin, key, prompts, bare, faults, steps }: Door,
): Promise<SeatedRun> {
  const started = performance.now();
  // An agent refuses or misplaces a home under the folder for temporary files; the workspace may be there.
  const homes = join(homedir(), '.cache', 'weir', 'agent-homes');
  await mkdir(homes, { recursive: true });
  const home = await mkdtemp(join(homes, 'home-'));
  const folder = await mkdtemp(join(tmpdir(), 'weir-agent-'));
  const workspace = join(folder, 'workspace');
  const seat: AgentSeat = {
    program,
    home,
    workspace,
    prompts,
    bare,
    origin,
    key,
    probe: { command: process.execPath, args: ['--import', LOADER, PROBE_SERVER] },
  };
  try {
    await makeWorkspace(workspace);
    const recording = upstream.begin({ workspace, picture: PICTURE, probePicture: PROBE_PICTURE, ...(steps && { steps }) }, faults);
    const end = await runAgent(agent.prepare(seat), seat);
    return { recording, end, edited: await written(workspace), seconds: (performance.now() - started) / 1000 };
  } finally {
    await rm(home, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
