/** Runs the error cases, each agent at an upstream and a gateway of its own, side by side: the runs mostly wait for the agents' pauses. */
import { type ScriptedUpstream, startScriptedUpstream } from '@weir/scripted-upstream';
import type { Agent } from './agents/agent.ts';
import { countRequests, type RequestCounter } from './count-requests.ts';
import { ERROR_CASES, type ErrorCase, type ErrorEnd } from './error-cases.ts';
import { type Ledger, spendProblems } from './ledger-problems.ts';
import { type Programs, runInstalled } from './run-installed.ts';
import { runSeated, type SeatedRun } from './run-seated.ts';
import { type Gateway, startGateway, type VirtualKey } from './start-gateway.ts';

export interface ErrorResult {
  readonly agent: string;
  readonly name: string;
  /** A sentence when the case was not run. */
  readonly result: ErrorRun | { readonly skipped: string };
}

export interface ErrorRun {
  readonly seen: ErrorEnd;
  readonly problems: readonly string[];
  readonly seconds: number;
}

const UPSTREAM_KEY = 'sk-scripted-upstream';
/** Less than one reply costs. */
const SMALL_BUDGET = ['--budget', '0.01'] as const;
const EXCERPT = 600;

type Expected = ErrorEnd & { readonly says: string };

const expectedOf = ({ end, asks, upstream, says = '', otherwise }: ErrorCase, agent: string): Expected => ({
  end,
  asks,
  upstream,
  says,
  ...otherwise?.[agent],
});

const endSeen = ({ recording }: SeatedRun, asks: number): ErrorEnd => ({
  end: recording.finished() ? 'recovers' : 'stops',
  asks,
  upstream: recording.requests.length,
});

function problemsOf(expected: Expected, seen: ErrorEnd, run: SeatedRun): readonly string[] {
  const figures = (['end', 'asks', 'upstream'] as const).filter(figure => seen[figure] !== expected[figure]);
  const problems = [
    ...figures.map(figure => `${figure}: ${seen[figure]} instead of ${expected[figure]}`),
    ...(expected.end === 'recovers' || run.end.output.includes(expected.says) ? [] : [`the agent does not say '${expected.says}'`]),
    ...(run.end.timedOut ? ['the agent did not end in time'] : []),
    ...run.recording.violations(),
  ];
  return problems.length === 0 ? [] : [...problems, `last output: ${run.end.output.slice(-EXCERPT)}`];
}

async function keyFor(errorCase: ErrorCase, gateway: Gateway): Promise<VirtualKey> {
  const key = await gateway.makeKey(errorCase.name, ...(errorCase.key === 'small budget' ? SMALL_BUDGET : []));
  if (errorCase.key === 'revoked') await gateway.revokeKey(key);
  return key;
}

interface ErrorPlan {
  readonly agents: readonly Agent[];
  readonly programs: Programs;
  readonly say: (result: ErrorResult) => void;
}

interface Place {
  readonly agent: Agent;
  readonly upstream: ScriptedUpstream;
  readonly gateway: Gateway;
  readonly counter: RequestCounter;
}

async function openPlace(agent: Agent): Promise<Place> {
  const upstream = await startScriptedUpstream({ key: UPSTREAM_KEY });
  const gateway = await startGateway({ protocol: agent.speaks, upstreamOrigin: upstream.origin, upstreamKey: UPSTREAM_KEY, models: [agent.model] });
  return { agent, upstream, gateway, counter: await countRequests(gateway.origin) };
}

async function closePlace({ upstream, gateway, counter }: Place): Promise<void> {
  await counter.close();
  await gateway.stop();
  await upstream.close();
}

/** One agent through all cases, one after the other. */
async function runAgentErrors({ agent, upstream, gateway, counter }: Place, { programs, say }: ErrorPlan): Promise<readonly ErrorResult[]> {
  const results: ErrorResult[] = [];
  for (const errorCase of ERROR_CASES) {
    const { name, faults, steps = ['schema'] } = errorCase;
    const key = await keyFor(errorCase, gateway);
    const door = { origin: counter.origin, key: key.key, prompts: ['Do the task.'], bare: true, faults, steps } as const;
    const run = await runInstalled(agent, programs, program => runSeated(agent, program, upstream, door));
    const result = 'skipped' in run ? run : judged(errorCase, agent, run, { asked: counter.take(), ledger: await gateway.ledgerOf(key) });
    results.push({ agent: agent.name, name, result });
    say(results.at(-1) as ErrorResult);
    if (errorCase.costsCredential === true) await gateway.addCredential();
  }
  return results;
}

export function judged(errorCase: ErrorCase, agent: Agent, run: SeatedRun, { asked, ledger }: { readonly asked: number; readonly ledger: Ledger }): ErrorRun {
  const seen = endSeen(run, asked);
  const problems = problemsOf(expectedOf(errorCase, agent.name), seen, run);
  return { seen, problems: [...problems, ...spendProblems(ledger, run.recording.served())], seconds: run.seconds };
}

export async function runErrors(plan: ErrorPlan): Promise<readonly ErrorResult[]> {
  const places: Place[] = [];
  try {
    // One by one: a gateway that makes its database wants a processor for itself.
    for (const agent of plan.agents) places.push(await openPlace(agent));
    const tables = await Promise.all(places.map(place => runAgentErrors(place, plan)));
    return tables.flat();
  } finally {
    await Promise.all(places.map(closePlace));
  }
}
