/**
 * The agents as npm packages, pinned: the platform's own package alone, since npm runs no install script that would fetch it.
 * A new version is a change of this table, followed by a run of the matrix.
 */
import type { AgentFamily } from './agent.ts';

export interface AgentPackage {
  readonly version: string;
  /** What npm installs. */
  readonly spec: string;
  /** The program, from the folder that npm installs into. */
  readonly program: string;
}

/** Rust's names of the platforms, as in Codex' package. */
const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

/** @param platform such as `linux-x64`. @returns undefined where the agents are not made for it. */
export function agentPackages(platform: string): Readonly<Record<AgentFamily, AgentPackage>> | undefined {
  const triple = TRIPLES[platform];
  if (triple === undefined) return undefined;
  return {
    codex: {
      version: '0.169.0',
      spec: `@openai/codex-${platform}@npm:@openai/codex@0.169.0-${platform}`,
      program: `node_modules/@openai/codex-${platform}/vendor/${triple}/bin/codex`,
    },
    'claude-code': {
      version: '2.1.332',
      spec: `@anthropic-ai/claude-code-${platform}@2.1.332`,
      program: `node_modules/@anthropic-ai/claude-code-${platform}/claude`,
    },
    opencode: { version: '1.18.33', spec: `opencode-${platform}@1.18.33`, program: `node_modules/opencode-${platform}/bin/opencode` },
    pi: {
      version: '0.73.1',
      spec: '@mariozechner/pi-coding-agent@0.73.1',
      program: 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js',
    },
  };
}
