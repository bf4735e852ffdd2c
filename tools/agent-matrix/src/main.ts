/**
 * Real coding agents against the scripted upstream, through the gateway: `npm run test:agents -- --only codex,pi`.
 * Prints a matrix; ends with 1 when a cell fails. An agent that cannot be installed is skipped, loudly, and with CI=true it fails.
 */
import { parseArgs } from 'node:util';
import { FAULT_NAMES, type FaultName, startScriptedUpstream } from '@weir/scripted-upstream';
import type { AgentFamily } from './agents/agent.ts';
import { AGENTS } from './agents/agents.ts';
import { installAgent } from './install-agent.ts';
import { cellLine, type MatrixCell, matrixLines } from './print-matrix.ts';
import { type Programs, runDirect, runThroughGateway } from './run-matrix.ts';
import { startGateway } from './start-gateway.ts';

/** One that a gateway hides by a retry, and one that it cannot: the agent asks again, and the tokens stay unknown. */
const FAULTS: readonly FaultName[] = ['500', 'cut'];

const HELP = `Usage: npm run test:agents -- [options]

  --only codex,pi        these agents alone: ${[...new Set(AGENTS.map(agent => agent.family))].join(', ')}
  --upstream chat        these upstream protocols alone: responses, chat, messages
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

/** A cell that was not run is wrong where every agent has to be there. */
const isWrong = ({ result }: MatrixCell): boolean => ('skipped' in result ? process.env['CI'] === 'true' : result.problems.length > 0);

async function run(): Promise<number> {
  const options = {
    only: { type: 'string' },
    upstream: { type: 'string' },
    faults: { type: 'string' },
    direct: { type: 'boolean' },
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
  const upstream = await startScriptedUpstream({ key: UPSTREAM_KEY });
  try {
    const agents = AGENTS.filter(agent => families.includes(agent.family));
    const plan = { agents, programs, upstream, upstreamKey: UPSTREAM_KEY, faults, say: (cell: MatrixCell) => say(cellLine(cell)) };
    const gateway = { upstreamOrigin: upstream.origin, upstreamKey: UPSTREAM_KEY, agents };
    const cells = values.direct === true ? await runDirect(plan) : await runThroughGateway(plan, protocols, protocol => startGateway({ ...gateway, protocol }));
    say(`\n${matrixLines(cells).join('\n')}`);
    return cells.some(isWrong) ? 1 : 0;
  } finally {
    await upstream.close();
  }
}

process.exitCode = await run();
