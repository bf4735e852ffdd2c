/**
 * Real coding agents against the scripted upstream, through the gateway: `npm run test:agents -- --only codex,pi`.
 * Prints a matrix; ends with 1 when a cell fails. An agent that cannot be installed is skipped, loudly, and with CI=true it fails.
 */
import { parseArgs } from 'node:util';
import { FAULT_NAMES, type FaultName, type ProtocolName, startScriptedUpstream } from '@weir/scripted-upstream';
import type { Agent, AgentFamily } from './agents/agent.ts';
import { AGENTS } from './agents/agents.ts';
import { ERROR_AGENTS } from './error-cases.ts';
import { installAgent } from './install-agent.ts';
import { cellLine, errorCells, errorLine, type MatrixCell, matrixCells, type TableCell, tableLines } from './print-matrix.ts';
import { runErrors } from './run-errors.ts';
import type { Programs } from './run-installed.ts';
import { runDirect, runThroughGateway } from './run-matrix.ts';
import { startGateway } from './start-gateway.ts';

/** One that a gateway hides by a retry, and one that it cannot: the agent asks again, and the tokens stay unknown. */
const FAULTS: readonly FaultName[] = ['500', 'cut'];

const HELP = `Usage: npm run test:agents -- [options]

  --only codex,pi        these agents alone: ${[...new Set(AGENTS.map(agent => agent.family))].join(', ')}
  --upstream chat        these upstream protocols alone: responses, chat, messages; without the error cases
  --errors               the error cases alone; without it they follow the whole matrix
  --direct               without the gateway, each agent at an upstream of its own protocol
  --faults 429           what the upstream plays in place of each agent's first turns, one each; without it ${FAULTS.join(', ')};
                         there are none, ${FAULT_NAMES.join(', ')}
  --install              install the agents, and stop
`;

const UPSTREAMS = ['responses', 'chat', 'messages'] as const;
const UPSTREAM_KEY = 'sk-scripted-upstream';

function chosen<Name extends string>(option: string | undefined, known: readonly Name[]): readonly Name[] {
  if (option === undefined) return known;
  const names = option.split(',');
  const unknown = names.find(name => !known.includes(name as Name));
  if (unknown !== undefined) throw new Error(`There is no '${unknown}'; there are ${known.join(', ')}.`);
  return known.filter(name => names.includes(name));
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function install(families: readonly AgentFamily[]): Promise<Programs> {
  const programs = new Map<AgentFamily, { readonly program: string } | { readonly missing: string }>();
  for (const family of families) {
    try {
      programs.set(family, { program: await installAgent(family, say) });
    } catch (error) {
      // Whether this fails the run depends on where it runs.
      const missing = `it did not install: ${error instanceof Error ? error.message : String(error)}`;
      say(`SKIPPED: ${family}: ${missing}`);
      programs.set(family, { missing });
    }
  }
  return programs;
}

/** What was not run is wrong where every agent has to be there. */
const isWrong = ({ result }: TableCell): boolean => ('skipped' in result ? process.env['CI'] === 'true' : result.problems.length > 0);

interface Choice {
  readonly agents: readonly Agent[];
  readonly protocols: readonly ProtocolName[];
  readonly faults: readonly FaultName[];
  readonly direct: boolean;
}

async function runCells({ agents, protocols, faults, direct }: Choice, programs: Programs): Promise<readonly TableCell[]> {
  const upstream = await startScriptedUpstream({ key: UPSTREAM_KEY });
  try {
    const plan = { agents, programs, upstream, upstreamKey: UPSTREAM_KEY, faults, say: (cell: MatrixCell) => say(cellLine(cell)) };
    const gateway = { upstreamOrigin: upstream.origin, upstreamKey: UPSTREAM_KEY, models: agents.map(agent => agent.model) };
    const cells = direct ? await runDirect(plan) : await runThroughGateway(plan, protocols, protocol => startGateway({ ...gateway, protocol }));
    const table = matrixCells(cells);
    say(`\n${tableLines('agent \\ upstream', table).join('\n')}\n`);
    return table;
  } finally {
    await upstream.close();
  }
}

async function runErrorCases({ agents }: Choice, programs: Programs): Promise<readonly TableCell[]> {
  const chosenAgents = agents.filter(agent => ERROR_AGENTS.includes(agent.name));
  const table = errorCells(await runErrors({ agents: chosenAgents, programs, say: result => say(errorLine(result)) }));
  say(`\n${tableLines('error \\ agent', table).join('\n')}`);
  return table;
}

async function run(): Promise<number> {
  const options = {
    only: { type: 'string' },
    upstream: { type: 'string' },
    faults: { type: 'string' },
    direct: { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
    install: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help === true) {
    say(HELP);
    return 0;
  }
  const families = chosen(values.only, [...new Set(AGENTS.map(agent => agent.family))]);
  const protocols = chosen(values.upstream, UPSTREAMS);
  const faults = values.faults === 'none' ? [] : values.faults === undefined ? FAULTS : chosen(values.faults, FAULT_NAMES);
  const programs = await install(families);
  if (values.install === true) return [...programs.values()].some(found => 'missing' in found) ? 1 : 0;
  const choice = { agents: AGENTS.filter(agent => families.includes(agent.family)), protocols, faults, direct: values.direct };
  const cells = values.errors ? [] : await runCells(choice, programs);
  const errors = values.direct || (values.upstream !== undefined && !values.errors) ? [] : await runErrorCases(choice, programs);
  return [...cells, ...errors].some(isWrong) ? 1 : 0;
}

process.exitCode = await run();
