/** One cell of the matrix: one agent led through the whole script, and everything that is wrong with its run. */
import { ANSWER, EDITED_FILE, EDITED_TEXT, type Recording, type ScriptedUpstream, STEPS } from '@weir/scripted-upstream';
import type { Agent } from './agents/agent.ts';
import { type Door, runSeated, type SeatedRun } from './run-seated.ts';

const EXCERPT = 600;
/** The second one for an agent that makes room only between two. */
const PROMPTS = ['Do the task.', 'Go on.'] as const;

export interface CellResult {
  readonly agent: Agent;
  readonly recording: Recording;
  /** Everything that is wrong, as sentences; empty when the cell holds. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

function stepProblems(agent: Agent, recording: Recording): readonly string[] {
  return STEPS.flatMap(step => {
    const verdict = recording.verdictOn(step);
    if (verdict.state === 'failed') return [`${step}: ${verdict.problem}`];
    return verdict.state === 'not taken' && !agent.passesOver.includes(step)
      ? [`${step}: not taken, since no tool for it was offered or the run ended before`]
      : [];
  });
}

/** What must be true of every run: a sentence where it is not. */
const RULES: readonly ((run: SeatedRun) => string | false)[] = [
  ({ recording }) =>
    recording.verdictOn('agent').state === 'passed' &&
    !recording.requests.some(request => request.asker === 'sub-agent') &&
    'agent: no request of the sub-agent arrived',
  ({ recording, end }) =>
    recording.verdictOn('schema').state === 'passed' && !end.output.includes(ANSWER.verdict) && 'schema: the agent does not print the answer',
  ({ edited }) => edited !== EDITED_TEXT && `edit: ${EDITED_FILE} is ${edited === null ? 'not there' : JSON.stringify(edited)}`,
  ({ recording }) => !recording.finished() && 'the scenario did not come to its end',
  ({ end }) => end.failure ?? false,
  ({ end }) => end.timedOut && 'the agent did not end in time',
  ({ end }) => end.exitCode !== 0 && !end.timedOut && `the agent ended with exit code ${end.exitCode}`,
];

function problemsOf(agent: Agent, run: SeatedRun): readonly string[] {
  const { recording, end } = run;
  const broken = RULES.map(rule => rule(run)).filter(problem => problem !== false);
  const problems = [...stepProblems(agent, recording), ...recording.violations(), ...broken];
  return problems.length === 0 ? [] : [...problems, `last output: ${end.output.slice(-EXCERPT)}`];
}

export async function runCell(agent: Agent, program: string, upstream: ScriptedUpstream, door: Omit<Door, 'prompts' | 'bare'>): Promise<CellResult> {
  const run = await runSeated(agent, program, upstream, { ...door, prompts: PROMPTS, bare: false });
  return { agent, recording: run.recording, problems: problemsOf(agent, run), seconds: run.seconds };
}
