/** One cell of the matrix: one agent, in folders of its own, through one door, against the scripted upstream. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EDITED_FILE, EDITED_TEXT, type FaultName, PICTURE_FILE, type Recording, type ScriptedUpstream, STEPS } from '@weir/scripted-upstream';
import type { Agent, AgentSeat } from './agents/agent.ts';
import { PROBE_PICTURE } from './probe/probe.ts';
import { type AgentEnd, runAgent } from './run-agent.ts';

/** 16 × 16 pixels, blue: the picture in the workspace. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOQszlBEmIY1TCqYfhqAACDBSIQ9OB7HgAAAABJRU5ErkJggg==';
const PROBE_SERVER = fileURLToPath(new URL('./probe/probe-server.ts', import.meta.url));
/** By its address, since the agents start the server from folders that know no packages. */
const LOADER = import.meta.resolve('tsx');
const EXCERPT = 600;

export interface CellResult {
  readonly agent: Agent;
  readonly recording: Recording;
  /** Everything that is wrong, as sentences; empty when the cell holds. */
  readonly problems: readonly string[];
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

function stepProblems(agent: Agent, recording: Recording): readonly string[] {
  return STEPS.flatMap(step => {
    const verdict = recording.verdictOn(step);
    if (verdict.state === 'failed') return [`${step}: ${verdict.problem}`];
    return verdict.state === 'not taken' && !agent.passesOver.includes(step)
      ? [`${step}: not taken, since no tool for it was offered or the run ended before`]
      : [];
  });
}

function problemsOf(agent: Agent, end: AgentEnd, recording: Recording, edited: string | null): readonly string[] {
  const lostAgent = recording.verdictOn('agent').state === 'passed' && !recording.requests.some(request => request.asker === 'sub-agent');
  const problems = [
    ...stepProblems(agent, recording),
    ...recording.violations(),
    ...(lostAgent ? ['agent: no request of the sub-agent arrived'] : []),
    ...(edited === EDITED_TEXT ? [] : [`edit: ${EDITED_FILE} is ${edited === null ? 'not there' : JSON.stringify(edited)}`]),
    ...(recording.finished() ? [] : ['the scenario did not come to its end']),
    ...(end.failure === null ? [] : [end.failure]),
    ...(end.timedOut ? ['the agent did not end in time'] : []),
    ...(end.exitCode === 0 || end.timedOut ? [] : [`the agent ended with exit code ${end.exitCode}`]),
  ];
  return problems.length === 0 ? [] : [...problems, `last output: ${end.output.slice(-EXCERPT)}`];
}

/** The way in for one cell. */
export interface Door {
  readonly origin: string;
  readonly key: string;
  /** Played by the upstream in place of the agent's first turns, one each. */
  readonly faults: readonly FaultName[];
}

export async function runCell(agent: Agent, program: string, upstream: ScriptedUpstream, { origin, key, faults }: Door): Promise<CellResult> {
  const started = performance.now();
  // An agent refuses or misplaces a home under the folder for temporary files; the workspace may be there.
  const homes = join(homedir(), '.cache', 'weir', 'agent-homes');
  await mkdir(homes, { recursive: true });
  const home = await mkdtemp(join(homes, 'home-'));
  const folder = await mkdtemp(join(tmpdir(), 'weir-agent-'));
  const workspace = join(folder, 'workspace');
  const seat: AgentSeat = { program, home, workspace, origin, key, probe: { command: process.execPath, args: ['--import', LOADER, PROBE_SERVER] } };
  try {
    await makeWorkspace(workspace);
    const recording = upstream.begin({ workspace, picture: PICTURE, probePicture: PROBE_PICTURE }, faults);
    const end = await runAgent(agent.prepare(seat), seat);
    const problems = problemsOf(agent, end, recording, await written(workspace));
    return { agent, recording, problems, seconds: (performance.now() - started) / 1000 };
  } finally {
    await rm(home, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
