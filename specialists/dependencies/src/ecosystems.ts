/**
 * The package managers that are known, as data: which files are manifests, which lockfiles pin them, what refuses a
 * lockfile that drifted and what writes it again. One more manager is one more row.
 */
import type { DependencyEntry } from './dependency-entry.ts';
import { openBunLock, openPnpmLock, openYarnLock } from './lock/importer-judge.ts';
import { readBunPackages, readNpmPackages } from './lock/json-packages.ts';
import type { OpenLock } from './lock/judge.ts';
import type { LockedPackage } from './lock/locked-package.ts';
import {
  openCargoLock,
  openComposerLock,
  openGemfileLock,
  openGoSum,
  openMixLock,
  openNugetLock,
  openPipfileLock,
  openPubLock,
  openTomlHashLock,
  openUvLock,
} from './lock/name-judges.ts';
import { bunMembers, npmMembers, pnpmMembers } from './lock/lock-members.ts';
import { openNpmLock } from './lock/npm-judge.ts';
import { readGoSum, readPnpmPackages, readTomlPackages, readYarnPackages } from './lock/text-packages.ts';
import { readGemfile, readGoMod, readMixExs, readProjectFile, readPubspec, readRequirements } from './manifest/line-manifests.ts';
import type { Manifest } from './manifest/manifest.ts';
import { readPnpmWorkspace } from './manifest/pnpm-workspace.ts';
import { readComposerJson, readPackageJson } from './manifest/package-json.ts';
import { readCargoToml, readPipfile, readPyproject } from './manifest/toml-manifest.ts';
import type { Piece } from './piece.ts';
import { baseName } from './repository-path.ts';

export interface LockKind {
  readonly file: string;
  /** Command that fails, or falls back to another tree, when the lockfile drifted. */
  readonly strict: string;
  /** Command that writes it again. */
  readonly refresh: string;
  readonly open: OpenLock;
  /** Ranges that the lockfile repeats for each member, by the member's folder; absent where it repeats none. */
  readonly members?: (lockText: string) => ReadonlyMap<string, readonly DependencyEntry[]>;
  /** Locked packages with their lines; absent where the form has no source or checksum worth comparing. */
  readonly packages?: (pieces: readonly Piece[]) => readonly LockedPackage[];
}

export interface Ecosystem {
  readonly name: 'npm' | 'python' | 'rust' | 'go' | 'ruby' | 'php' | 'dotnet' | 'elixir' | 'dart' | 'pip';
  /** File name of the manifest, or what it looks like. */
  readonly manifest: string | RegExp;
  readonly read: (pieces: readonly Piece[]) => Manifest;
  /** True where a lockfile of a folder above may serve the manifest. */
  readonly workspaces: boolean;
  readonly locks: readonly LockKind[];
}

const npmLock = { strict: 'npm ci', refresh: 'npm install', open: openNpmLock, members: npmMembers, packages: readNpmPackages };
const pnpmLock: LockKind = {
  file: 'pnpm-lock.yaml',
  strict: 'pnpm install --frozen-lockfile',
  refresh: 'pnpm install',
  open: openPnpmLock,
  members: pnpmMembers,
  packages: readPnpmPackages,
};

export const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    name: 'npm',
    manifest: 'package.json',
    read: readPackageJson,
    workspaces: true,
    locks: [
      { file: 'package-lock.json', ...npmLock },
      { file: 'npm-shrinkwrap.json', ...npmLock },
      { file: 'yarn.lock', strict: 'yarn install --immutable (or --frozen-lockfile)', refresh: 'yarn install', open: openYarnLock, packages: readYarnPackages },
      pnpmLock,
      { file: 'bun.lock', strict: 'bun install --frozen-lockfile', refresh: 'bun install', open: openBunLock, members: bunMembers, packages: readBunPackages },
    ],
  },
  {
    name: 'python',
    manifest: 'pyproject.toml',
    read: readPyproject,
    workspaces: true,
    locks: [
      { file: 'uv.lock', strict: 'uv sync --locked', refresh: 'uv lock', open: openUvLock, packages: readTomlPackages },
      { file: 'poetry.lock', strict: 'poetry install', refresh: 'poetry lock', open: openTomlHashLock, packages: readTomlPackages },
      { file: 'pdm.lock', strict: 'pdm install --frozen-lockfile', refresh: 'pdm lock', open: openTomlHashLock, packages: readTomlPackages },
    ],
  },
  {
    name: 'python',
    manifest: 'Pipfile',
    read: readPipfile,
    workspaces: false,
    locks: [{ file: 'Pipfile.lock', strict: 'pipenv install --deploy', refresh: 'pipenv lock', open: openPipfileLock }],
  },
  {
    name: 'rust',
    manifest: 'Cargo.toml',
    read: readCargoToml,
    workspaces: true,
    locks: [{ file: 'Cargo.lock', strict: 'cargo build --locked', refresh: 'cargo update --workspace', open: openCargoLock, packages: readTomlPackages }],
  },
  {
    name: 'go',
    manifest: 'go.mod',
    read: readGoMod,
    workspaces: false,
    locks: [{ file: 'go.sum', strict: 'go build', refresh: 'go mod tidy', open: openGoSum, packages: readGoSum }],
  },
  {
    name: 'ruby',
    manifest: 'Gemfile',
    read: readGemfile,
    workspaces: false,
    locks: [{ file: 'Gemfile.lock', strict: 'bundle install with frozen set', refresh: 'bundle lock', open: openGemfileLock }],
  },
  {
    name: 'php',
    manifest: 'composer.json',
    read: readComposerJson,
    workspaces: false,
    locks: [{ file: 'composer.lock', strict: 'composer install', refresh: 'composer update --lock', open: openComposerLock }],
  },
  {
    name: 'dotnet',
    manifest: /\.(?:cs|fs|vb)proj$/,
    read: readProjectFile,
    workspaces: false,
    locks: [{ file: 'packages.lock.json', strict: 'dotnet restore --locked-mode', refresh: 'dotnet restore --force-evaluate', open: openNugetLock }],
  },
  {
    name: 'elixir',
    manifest: 'mix.exs',
    read: readMixExs,
    workspaces: false,
    locks: [{ file: 'mix.lock', strict: 'mix deps.get --check-locked', refresh: 'mix deps.get', open: openMixLock }],
  },
  {
    name: 'dart',
    manifest: 'pubspec.yaml',
    read: readPubspec,
    workspaces: false,
    locks: [{ file: 'pubspec.lock', strict: 'dart pub get --enforce-lockfile', refresh: 'dart pub get', open: openPubLock }],
  },
  { name: 'npm', manifest: 'pnpm-workspace.yaml', read: readPnpmWorkspace, workspaces: false, locks: [pnpmLock] },
  { name: 'pip', manifest: /^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/, read: readRequirements, workspaces: false, locks: [] },
];

export const ecosystemOf = (path: string): Ecosystem | undefined =>
  ECOSYSTEMS.find(({ manifest }) => (typeof manifest === 'string' ? manifest === baseName(path) : manifest.test(baseName(path))));

export interface KnownLock {
  readonly ecosystem: Ecosystem;
  readonly lock: LockKind;
}
/** Of two manifests with one lockfile the first row is the lockfile's own. */
const LOCKS: ReadonlyMap<string, KnownLock> = new Map(
  ECOSYSTEMS.flatMap(ecosystem => ecosystem.locks.map(lock => [lock.file, { ecosystem, lock }] as const)).reverse(),
);

export const lockOf = (path: string): KnownLock | undefined => LOCKS.get(baseName(path));
