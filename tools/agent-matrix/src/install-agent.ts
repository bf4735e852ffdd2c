/** Installs one agent from npm outside the repository, once for each version; what is there already is left alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentFamily } from './agents/agent.ts';
import { agentPackages } from './agents/agent-packages.ts';

const LONGEST_INSTALL_MS = 600_000;
const BYTES_PER_MB = 1_000_000;

/** `WEIR_AGENTS`, else `weir/agents` in the user's folder for caches. */
export const agentsFolder = (): string => process.env['WEIR_AGENTS'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'weir', 'agents');

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(entries.filter(entry => entry.isFile()).map(async entry => (await stat(join(entry.parentPath, entry.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function runNpm(folder: string, spec: string): Promise<void> {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', spec];
  const npm = spawn('npm', args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: LONGEST_INSTALL_MS });
  let complaint = '';
  npm.stderr.on('data', (chunk: Buffer) => void (complaint += chunk.toString()));
  const [code] = (await once(npm, 'close')) as [number | null];
  if (code !== 0) throw new Error(`npm could not install ${spec}: ${complaint.trim().split('\n').slice(-3).join(' ')}`);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * @returns the agent's program.
 * @throws with npm's own words when it cannot be installed, and when the agent is not made for this platform.
 */
export async function installAgent(family: AgentFamily, say: (line: string) => void): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const chosen = agentPackages(platform)?.[family];
  if (chosen === undefined) throw new Error(`There is no ${family} for ${platform}.`);
  const root = agentsFolder();
  const folder = join(root, `${family}-${chosen.version}`);
  const program = join(folder, chosen.program);
  if (await isThere(program)) return program;
  say(`Installing ${chosen.spec} into ${folder} …`);
  await mkdir(root, { recursive: true });
  // Installed beside and then renamed, so that a broken installation is never taken for a whole one.
  const unfinished = await mkdtemp(join(root, 'unfinished-'));
  try {
    await runNpm(unfinished, chosen.spec);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  if (!(await isThere(program))) throw new Error(`${chosen.spec} is installed, but has no ${chosen.program}.`);
  say(`Installed ${family} ${chosen.version}: ${Math.round((await sizeOf(folder)) / BYTES_PER_MB)} MB.`);
  return program;
}
