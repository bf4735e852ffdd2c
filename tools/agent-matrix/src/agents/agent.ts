/** What the matrix knows of one coding agent: which protocol it speaks, what it cannot do, and how one run of it is started. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { ProtocolName, StepName } from '@weir/scripted-upstream';

/** The npm packages; `--only` names these. */
export type AgentFamily = 'codex' | 'claude-code' | 'opencode' | 'pi';

/** Where and for whom an agent runs; every folder is new and its own. */
export interface AgentSeat {
  /** The executable, or for an agent in JavaScript its entry file. */
  readonly program: string;
  readonly home: string;
  readonly workspace: string;
  /** Said one after the other by an agent that takes several; the others get the first. */
  readonly prompts: readonly [string, ...string[]];
  /** Without requests for the client's own purposes, such as a title, where the client can leave them out. */
  readonly bare: boolean;
  /** `http://host:port`, without a path. */
  readonly origin: string;
  readonly key: string;
  /** How the agent starts the probe, our own MCP server over stdio. */
  readonly probe: { readonly command: string; readonly args: readonly string[] };
}

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Content by absolute path, written before the start. */
  readonly files: Readonly<Record<string, string>>;
  /** For an agent that is a server: leads it through the task; the process is ended afterwards. */
  readonly converse?: (child: ChildProcessWithoutNullStreams, seat: AgentSeat) => Promise<void>;
}

export interface Agent {
  readonly name: string;
  readonly family: AgentFamily;
  readonly speaks: ProtocolName;
  /** The model name that it asks for; some agents offer tools by it. */
  readonly model: string;
  /** Steps that this client offers no tool for. */
  readonly passesOver: readonly StepName[];
  readonly prepare: (seat: AgentSeat) => AgentCommand;
}
