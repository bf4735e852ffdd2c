/** Codex, as `codex exec` and as `codex app-server`. It speaks Responses alone; its tools for patches and images come with a model name it knows. */
import { createInterface } from 'node:readline';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { ANSWER_SCHEMA } from '@weir/scripted-upstream';
import type { Agent, AgentCommand, AgentSeat } from './agent.ts';

const MODEL = 'gpt-5.5';
/** By its name Codex offers one tool for scripts, which call all others, and the second kind of sub-agents. */
const CODE_MODEL = 'gpt-6-sol';
/** It sums the conversation up when a reply counts more. */
const COMPACT_TOKENS = 150_000;

/** JSON strings are TOML strings as well. */
const toml = (value: unknown): string => JSON.stringify(value);

const config = ({ origin, probe }: AgentSeat, model: string): string => `model = ${toml(model)}
model_provider = "weir"
model_auto_compact_token_limit = ${COMPACT_TOKENS}
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
web_search = "disabled"

[analytics]
enabled = false

[features]
apps = false
plugins = false
remote_plugin = false
skill_mcp_dependency_install = false

[model_providers.weir]
name = "Weir"
base_url = ${toml(`${origin}/v1`)}
env_key = "WEIR_KEY"
wire_api = "responses"

[mcp_servers.probe]
command = ${toml(probe.command)}
args = ${toml(probe.args)}
default_tools_approval_mode = "approve"
`;

const command = (seat: AgentSeat, model: string, args: readonly string[]): AgentCommand => ({
  command: seat.program,
  args,
  env: { CODEX_HOME: `${seat.home}/.codex`, WEIR_KEY: seat.key },
  files: { [`${seat.home}/.codex/config.toml`]: config(seat, model), [`${seat.home}/schema.json`]: JSON.stringify(ANSWER_SCHEMA) },
});

const exec = (seat: AgentSeat, model: string): AgentCommand =>
  command(seat, model, ['exec', '--json', '--skip-git-repo-check', '--output-schema', `${seat.home}/schema.json`, '-C', seat.workspace, seat.prompts[0]]);

export const codexExec: Agent = {
  name: 'codex exec',
  family: 'codex',
  speaks: 'responses',
  model: MODEL,
  passesOver: [],
  prepare: seat => exec(seat, MODEL),
};

export const codexCodeMode: Agent = {
  ...codexExec,
  name: 'codex code mode',
  model: CODE_MODEL,
  passesOver: ['parallel', 'search'],
  prepare: seat => exec(seat, CODE_MODEL),
};

interface RpcMessage {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly thread?: { readonly id: string } };
  readonly error?: { readonly message: string };
  readonly params?: { readonly threadId?: string; readonly turn?: { readonly status: string; readonly error?: { readonly message: string } | null } };
}

/** What is said after a message of the server: initialize, thread/start, turn/start. */
function nextRequest(message: RpcMessage, { workspace, prompts }: AgentSeat): object | undefined {
  if (message.id === 1)
    return { id: 2, method: 'thread/start', params: { model: MODEL, cwd: workspace, approvalPolicy: 'never', sandbox: 'danger-full-access' } };
  if (message.id !== 2) return undefined;
  return {
    id: 3,
    method: 'turn/start',
    params: { threadId: message.result?.thread?.id, input: [{ type: 'text', text: prompts[0] }], outputSchema: ANSWER_SCHEMA },
  };
}

/** @throws for an error of the server, and for a turn that did not complete. @returns whether our own turn is over; sub-agents have threads of their own. */
function isOver(message: RpcMessage, threadId: string | undefined): boolean {
  if (message.error !== undefined) throw new Error(`codex app-server: ${message.error.message}`);
  if (message.method !== 'turn/completed' || message.params?.threadId !== threadId) return false;
  const turn = message.params?.turn;
  if (turn?.status === 'completed') return true;
  throw new Error(`codex app-server: the turn is ${turn?.status}: ${turn?.error?.message}`);
}

/** Runs one turn over JSON-RPC, one message a line. */
async function converse(child: ChildProcessWithoutNullStreams, seat: AgentSeat): Promise<void> {
  const send = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  let threadId: string | undefined;
  send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'weir', title: 'weir', version: '0.1.0' } } });
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as RpcMessage;
    threadId = message.result?.thread?.id ?? threadId;
    if (isOver(message, threadId)) return;
    const request = nextRequest(message, seat);
    if (request !== undefined) send(request);
  }
  throw new Error('codex app-server ended before its turn did');
}

export const codexAppServer: Agent = { ...codexExec, name: 'codex app-server', prepare: seat => ({ ...command(seat, MODEL, ['app-server']), converse }) };
