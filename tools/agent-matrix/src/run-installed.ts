/** Runs an agent where it is installed; where it is not, or does not start, a sentence says why. */
import type { Agent, AgentFamily } from './agents/agent.ts';

/** The program of an agent, or the sentence why it is not there. */
export type Programs = ReadonlyMap<AgentFamily, { readonly program: string } | { readonly missing: string }>;

export async function runInstalled<Result>(
  agent: Agent,
  programs: Programs,
  run: (program: string) => Promise<Result>,
): Promise<Result | { readonly skipped: string }> {
  const found = programs.get(agent.family);
  if (found === undefined || 'missing' in found) return { skipped: found?.missing ?? 'it was not asked for' };
  try {
    return await run(found.program);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn') !== true) throw error;
    return { skipped: `it does not start: ${(error as Error).message}` };
  }
}
