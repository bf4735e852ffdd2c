/** All agents of the matrix, one row each. */
import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codexAppServer, codexCodeMode, codexExec } from './codex.ts';
import { opencode } from './opencode.ts';
import { piAgents } from './pi.ts';

export const AGENTS: readonly Agent[] = [codexExec, codexAppServer, codexCodeMode, ...piAgents, opencode, claudeCode];
