/**
 * Reads package.json and composer.json: dependency maps, overrides, scripts and build permissions, each with its line.
 * Field names: docs.npmjs.com "package.json", pnpm.io "settings", bun.sh "trusted dependencies", getcomposer.org "The composer.json schema".
 */
import type { DependencyEntry } from '../dependency-entry.ts';
import { type JsonProperty, walkJson } from '../json-walk.ts';
import type { Piece } from '../piece.ts';
import type { Manifest } from './manifest.ts';

/** How the values of a section are read: `name: spec`, a list of names, or overrides that may nest. */
type Form = 'map' | 'list' | 'tree';

/** Sections by their path. Overrides keep apart what npm, pnpm and yarn each read; workspaces and builds mean the same in all. */
const NPM_SECTIONS: ReadonlyMap<string, readonly [section: string, form: Form]> = new Map([
  ['dependencies', ['dependencies', 'map']],
  ['devDependencies', ['devDependencies', 'map']],
  ['optionalDependencies', ['optionalDependencies', 'map']],
  ['peerDependencies', ['peerDependencies', 'map']],
  ['overrides', ['overrides', 'tree']],
  ['pnpm.overrides', ['pnpm.overrides', 'map']],
  ['resolutions', ['resolutions', 'map']],
  ['scripts', ['scripts', 'map']],
  ['workspaces', ['workspaces', 'list']],
  ['workspaces.packages', ['workspaces', 'list']],
  ['pnpm.onlyBuiltDependencies', ['builds', 'list']],
  ['trustedDependencies', ['builds', 'list']],
  ['allowScripts', ['builds', 'map']],
  ['lavamoat.allowScripts', ['builds', 'map']],
]);

const COMPOSER_SECTIONS: ReadonlyMap<string, readonly [section: string, form: Form]> = new Map([
  ['require', ['require', 'map']],
  ['require-dev', ['require-dev', 'map']],
]);

type Sections = typeof NPM_SECTIONS;

/** Sections that only show their last name when a hunk starts below their parent. */
const FRAGMENT_SECTIONS: ReadonlyMap<string, string> = new Map([
  ['onlyBuiltDependencies', 'pnpm.onlyBuiltDependencies'],
  ['allowScripts', 'allowScripts'],
]);

const treeEntry = (property: JsonProperty): DependencyEntry => ({
  section: 'overrides',
  name: [...property.path.slice(1), property.key].filter(key => key !== '.').join('>'),
  spec: property.value,
  line: property.line,
});

const mapEntry = (section: string, form: Form, property: JsonProperty): DependencyEntry | null => {
  const list = form === 'list';
  if (property.kind === 'open' || list !== (property.key === '')) return null;
  return { section, name: list ? property.value : property.key, spec: list ? '' : property.value, line: property.line };
};

const sectionAt = (sections: Sections, piece: Piece, path: readonly string[]): readonly [string, Form] | undefined => {
  const place = path.join('.');
  return sections.get(place) ?? (piece.whole ? undefined : sections.get(FRAGMENT_SECTIONS.get(place) ?? ''));
};

const entryOf = (sections: Sections, piece: Piece, property: JsonProperty): DependencyEntry | null => {
  const row = sectionAt(sections, piece, property.path);
  if (row !== undefined) return mapEntry(row[0], row[1], property);
  if (property.kind !== 'string') return null;
  if (property.path[0] === 'overrides' && sections === NPM_SECTIONS) return treeEntry(property);
  // A composer repository is a source: `{"type": "vcs", "url": "…"}`.
  if (property.path[0] === 'repositories' && property.key === 'url' && sections === COMPOSER_SECTIONS)
    return { section: 'repositories', name: property.value, spec: property.value, line: property.line };
  const unknown = !piece.whole && property.path.length === 0 && property.key !== '';
  return unknown ? { section: '', name: property.key, spec: property.value, line: property.line } : null;
};

const isJson = (piece: Piece): boolean => {
  try {
    JSON.parse(piece.lines.map(line => line.text).join('\n'));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};

const readJson =
  (sections: Sections) =>
  (pieces: readonly Piece[]): Manifest => {
    const entries: DependencyEntry[] = [];
    let name: string | null = null;
    let isPrivate = false;
    for (const piece of pieces) {
      if (piece.whole && !isJson(piece)) return { name, entries: [], workspaces: [], private: false, problem: 'it is not valid JSON' };
      for (const property of walkJson(piece.lines)) {
        const entry = entryOf(sections, piece, property);
        if (entry !== null) entries.push(entry);
        if (!piece.whole || property.path.length > 0) continue;
        if (property.key === 'name') name = property.value;
        if (property.key === 'private') isPrivate = property.value === 'true';
      }
    }
    const workspaces = entries.filter(entry => entry.section === 'workspaces').map(entry => entry.name);
    return { name, entries, workspaces, private: isPrivate, problem: null };
  };

export const readPackageJson: (pieces: readonly Piece[]) => Manifest = readJson(NPM_SECTIONS);
export const readComposerJson: (pieces: readonly Piece[]) => Manifest = readJson(COMPOSER_SECTIONS);
