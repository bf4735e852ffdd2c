/** Reads pnpm-workspace.yaml: which packages may run build scripts, overrides and catalogs (pnpm.io "Settings"). */
import type { DependencyEntry } from '../dependency-entry.ts';
import type { Piece } from '../piece.ts';
import { walkYaml, type YamlProperty } from '../yaml-walk.ts';
import { EMPTY_MANIFEST, type Manifest } from './manifest.ts';

const LISTS: Readonly<Record<string, string>> = { packages: 'workspaces', onlyBuiltDependencies: 'builds' };
const MAPS: Readonly<Record<string, string>> = { allowBuilds: 'builds', overrides: 'pnpm.overrides', catalog: 'catalog' };

const entryOf = ({ path, key, value, line }: YamlProperty): DependencyEntry | null => {
  const place = path[0] ?? '';
  if (key === '') {
    const section = LISTS[place];
    return section === undefined ? null : { section, name: value, spec: '', line };
  }
  if (path.length === 0 && key === 'dangerouslyAllowAllBuilds') return { section: 'builds', name: 'every package', spec: value, line };
  const section = place === 'catalogs' && path.length === 2 ? `catalogs.${path[1]}` : path.length === 1 ? MAPS[place] : undefined;
  return section === undefined ? null : { section, name: key, spec: value, line };
};

export const readPnpmWorkspace = (pieces: readonly Piece[]): Manifest => {
  const entries = pieces.flatMap(piece => [...walkYaml(piece.lines)].flatMap(property => entryOf(property) ?? []));
  return { ...EMPTY_MANIFEST, entries };
};
