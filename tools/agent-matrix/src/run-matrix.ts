/** Runs every chosen agent against every upstream protocol, one cell after the other, and compares each ledger with what was served. */
import type { FaultName, ProtocolName, ScriptedUpstream } from '@weir/scripted-upstream';
import type { Agent, AgentFamily } from './agents/agent.ts';
import { ledgerProblems } from './ledger-problems.ts';
import type { MatrixCell } from './print-matrix.ts';
import { type CellResult, runCell } from './run-cell.ts';
import type { Gateway } from './start-gateway.ts';

/** The program of an agent, or the sentence why it is not there. */
export type Programs = ReadonlyMap<AgentFamily, { readonly program: string } | { readonly missing: string }>;

export interface MatrixPlan {
  readonly agents: readonly Agent[];
  readonly programs: Programs;
  readonly upstream: ScriptedUpstream;
  /** What the upstream wants as key; in direct mode the agents present it themselves. */
  readonly upstreamKey: string;
  /** Played by the upstream at the start of each cell. */
  readonly faults: readonly FaultName[];
  readonly say: (cell: MatrixCell) => void;
}

type Outcome = MatrixCell['result'];

/** Without a gateway, only the diagonal: each agent at an upstream of its own protocol. It proves the harness, not the gateway. */
export async function runDirect({ agents, programs, upstream, upstreamKey, faults, say }: MatrixPlan): Promise<readonly MatrixCell[]> {
  const cells: MatrixCell[] = [];
  for (const agent of agents) {
    const result = await play(agent, programs, program => runCell(agent, program, upstream, { origin: upstream.origin, key: upstreamKey, faults }));
    cells.push({ agent: agent.name, upstream: agent.speaks, result });
    say(cells.at(-1) as MatrixCell);
  }
  return cells;
}

/** @param start starts a gateway whose only upstream speaks the protocol. */
export async function runThroughGateway(
  { agents, programs, upstream, faults, say }: MatrixPlan,
  protocols: readonly ProtocolName[],
  start: (protocol: ProtocolName) => Promise<Gateway>,
): Promise<readonly MatrixCell[]> {
  const cells: MatrixCell[] = [];
  for (const protocol of protocols) {
    const gateway = await start(protocol);
    try {
      for (const agent of agents) {
        const door = { origin: gateway.origin, key: gateway.keyOf(agent), faults };
        const outcome = await play(agent, programs, program => runCell(agent, program, upstream, door));
        const result = 'skipped' in outcome ? outcome : await withLedger(outcome, gateway);
        cells.push({ agent: agent.name, upstream: protocol, result });
        say(cells.at(-1) as MatrixCell);
      }
    } finally {
      await gateway.stop();
    }
  }
  return cells;
}

async function withLedger(result: CellResult, gateway: Gateway): Promise<CellResult> {
  const problems = ledgerProblems(await gateway.ledgerOf(result.agent), result.recording.served());
  return { ...result, problems: [...result.problems, ...problems] };
}

async function play(agent: Agent, programs: Programs, run: (program: string) => Promise<CellResult>): Promise<Outcome> {
  const found = programs.get(agent.family);
  if (found === undefined || 'missing' in found) return { skipped: found?.missing ?? 'it was not asked for' };
  try {
    return await run(found.program);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn') !== true) throw error;
    return { skipped: `it does not start: ${(error as Error).message}` };
  }
}
