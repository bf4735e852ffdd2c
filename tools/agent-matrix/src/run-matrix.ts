/** Runs every chosen agent against every upstream protocol, one cell after the other, and compares each ledger with what was served. */
import type { FaultName, ProtocolName, ScriptedUpstream } from '@weir/scripted-upstream';
import type { Agent } from './agents/agent.ts';
import { type Ledger, ledgerProblems } from './ledger-problems.ts';
import type { MatrixCell } from './print-matrix.ts';
import { type Programs, runInstalled } from './run-installed.ts';
import { type CellResult, runCell } from './run-cell.ts';
import type { Gateway } from './start-gateway.ts';

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

/** Without a gateway, only the diagonal: each agent at an upstream of its own protocol. It proves the harness, not the gateway. */
export async function runDirect({ agents, programs, upstream, upstreamKey, faults, say }: MatrixPlan): Promise<readonly MatrixCell[]> {
  const cells: MatrixCell[] = [];
  for (const agent of agents) {
    const result = await runInstalled(agent, programs, program => runCell(agent, program, upstream, { origin: upstream.origin, key: upstreamKey, faults }));
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
        const key = await gateway.makeKey(agent.name);
        const door = { origin: gateway.origin, key: key.key, faults };
        const outcome = await runInstalled(agent, programs, program => runCell(agent, program, upstream, door));
        const result = 'skipped' in outcome ? outcome : withLedger(outcome, await gateway.ledgerOf(key));
        cells.push({ agent: agent.name, upstream: protocol, result });
        say(cells.at(-1) as MatrixCell);
      }
    } finally {
      await gateway.stop();
    }
  }
  return cells;
}

const withLedger = (result: CellResult, ledger: Ledger): CellResult => ({
  ...result,
  problems: [...result.problems, ...ledgerProblems(ledger, result.recording.served())],
});
