/** A git repository made of written files and commits, the same on every machine. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface SampleRepository {
  readonly folder: string;
  write(file: string, lines: readonly string[]): void;
  move(from: string, to: string): void;
  commit(message: string): string;
}

const FIXED = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };

/** Starts an empty repository on branch main. */
export function createSampleRepository(folder: string): SampleRepository {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Sample', '-c', 'user.email=sample@example.invalid', '-c', 'commit.gpgsign=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...FIXED, GIT_CONFIG_GLOBAL: '/dev/null' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  git('init', '-q', '-b', 'main');
  const place = (file: string): string => {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    return full;
  };
  return {
    folder,
    write: (file, lines) => writeFileSync(place(file), `${lines.join('\n')}\n`),
    move: (from, to) => renameSync(path.join(folder, from), place(to)),
    commit: message => {
      git('add', '-A');
      git('commit', '-qm', message);
      return git('rev-parse', 'HEAD').trim();
    },
  };
}
