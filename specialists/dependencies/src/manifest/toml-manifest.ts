/**
 * Reads Cargo.toml, pyproject.toml and Pipfile. A whole file is judged by a TOML parser and gets its lines from a walk
 * over single statements; a fragment has the walk alone.
 * Sections: doc.rust-lang.org/cargo "The Manifest Format", packaging.python.org "pyproject.toml", python-poetry.org, docs.astral.sh/uv.
 */
import type { TomlTable } from 'smol-toml';
import type { DependencyEntry } from '../dependency-entry.ts';
import type { Piece } from '../piece.ts';
import type { Manifest } from './manifest.ts';
import { normalizedPythonName, readRequirement } from './requirement.ts';
import { parseToml, type TomlStatement, tomlStatements } from './toml-lines.ts';

/** Dotted paths of the sections, `*` for any one key, by the form of their values. */
interface TomlSections {
  /** Tables of `name = version` or `name = { … }`. */
  readonly maps: readonly string[];
  /** Lists of requirement texts. */
  readonly lists: readonly string[];
  /** Path of the package's own name. */
  readonly names: readonly string[];
  readonly normalize: (name: string) => string;
}

const CARGO_KINDS = ['dependencies', 'dev-dependencies', 'build-dependencies'];
const CARGO: TomlSections = {
  maps: [...CARGO_KINDS, 'workspace.dependencies', ...CARGO_KINDS.map(kind => `target.*.${kind}`), 'patch.*'],
  lists: [],
  names: ['package.name'],
  normalize: name => name,
};
const PYPROJECT: TomlSections = {
  maps: ['tool.poetry.dependencies', 'tool.poetry.dev-dependencies', 'tool.poetry.group.*.dependencies', 'tool.uv.sources', 'tool.pdm.resolution.overrides'],
  lists: ['project.dependencies', 'project.optional-dependencies.*', 'dependency-groups.*', 'tool.uv.dev-dependencies', 'tool.pdm.dev-dependencies.*'],
  names: ['project.name', 'tool.poetry.name'],
  normalize: normalizedPythonName,
};
const PIPFILE: TomlSections = { maps: ['packages', 'dev-packages'], lists: [], names: [], normalize: normalizedPythonName };

const isTable = (value: unknown): value is TomlTable => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
const textAt = (table: TomlTable, ...keys: readonly string[]): string | null => {
  for (const key of keys) if (Object.hasOwn(table, key) && typeof table[key] === 'string') return table[key];
  return null;
};

/** A dependency's value as one spec: its source where it names one, else its version, else `*`. */
const specOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(item => (isTable(item) ? specOf(item) : '*')).join(' || ');
  if (!isTable(value)) return '*';
  const git = textAt(value, 'git');
  if (git !== null) return `git+${git}#${textAt(value, 'rev', 'tag', 'branch', 'ref') ?? ''}`;
  const path = textAt(value, 'path');
  if (path !== null) return `file:${path}`;
  if (value.workspace === true) return 'workspace:*';
  return textAt(value, 'url', 'version') ?? '*';
};

/** The name in the registry: Cargo lets a dependency be called otherwise (`package = "…"`). */
const nameOf = (key: string, value: unknown): string => (isTable(value) ? (textAt(value, 'package') ?? key) : key);

/** Values that a path with `*` leads to, each with the path that it really has. */
const valuesAt = (root: TomlTable, path: string): readonly (readonly [at: string, value: unknown])[] => {
  let found: (readonly [string, unknown])[] = [['', root]];
  for (const step of path.split('.')) {
    found = found.flatMap(([at, value]) => {
      if (!isTable(value)) return [];
      const keys = step === '*' ? Object.keys(value) : [step].filter(key => Object.hasOwn(value, key));
      return keys.map(key => [at === '' ? key : `${at}.${key}`, value[key]] as const);
    });
  }
  return found;
};

const mapEntries = (sections: TomlSections, section: string, value: unknown): DependencyEntry[] =>
  isTable(value) ? Object.keys(value).map(key => ({ section, name: sections.normalize(nameOf(key, value[key])), spec: specOf(value[key]), line: 0 })) : [];

const listEntries = (section: string, value: unknown, line: number): DependencyEntry[] =>
  Array.isArray(value) ? value.flatMap(item => (typeof item === 'string' ? (readRequirement(item, section, line) ?? []) : [])) : [];

const pathFits = (pattern: string, path: string): boolean => {
  const want = pattern.split('.');
  const have = path.split('.');
  return want.length === have.length && want.every((step, index) => step === '*' || step === have[index]);
};

/** Keys of package metadata: with the header out of view they are not taken for dependencies. */
const METADATA = new Set([
  'name',
  'version',
  'edition',
  'rust-version',
  'description',
  'readme',
  'license',
  'requires-python',
  'resolver',
  'target-version',
  'path',
]);

const isList = (sections: TomlSections, header: string | null, key: string | null): boolean => {
  if (header === null || key === null) return sections.lists.length > 0;
  const path = header === '' ? key : `${header}.${key}`;
  return sections.lists.some(pattern => pathFits(pattern, path));
};

const isMap = (sections: TomlSections, header: string): boolean => sections.maps.some(pattern => pathFits(pattern, header));

/** A statement whose table is out of view: what it sets tells whether it is a dependency. */
const looseEntry = (key: string, value: unknown): boolean =>
  !METADATA.has(key) && (isTable(value) || (typeof value === 'string' && /^[\^~=<>*\d]/.test(value)));

const listStatement = (sections: TomlSections, { header, key, value, line }: TomlStatement): DependencyEntry[] => {
  if (!isList(sections, header, key)) return [];
  const known = header !== null && key !== null;
  return listEntries(known ? (header === '' ? key : `${header}.${key}`) : '', value, line);
};

const statementEntries = (sections: TomlSections, statement: TomlStatement): DependencyEntry[] => {
  const { header, key, value, line } = statement;
  if (Array.isArray(value)) return listStatement(sections, statement);
  if (key === null) return [];
  const entry = (section: string): DependencyEntry[] => [{ section, name: sections.normalize(nameOf(key, value)), spec: specOf(value), line }];
  if (header === null) return looseEntry(key, value) ? entry('') : [];
  if (isMap(sections, header)) return entry(header);
  // `[dependencies.name]` spreads one dependency over the lines below it; its source or version is what the entry says.
  const parent = header.slice(0, Math.max(0, header.lastIndexOf('.')));
  if (!isMap(sections, parent) || !['git', 'path', 'url', 'version'].includes(key)) return [];
  return [{ section: parent, name: sections.normalize(header.slice(parent.length + 1)), spec: specOf({ [key]: value }), line }];
};

const located = (entries: readonly DependencyEntry[], shown: readonly DependencyEntry[]): DependencyEntry[] => {
  const lines = new Map(shown.map(entry => [`${entry.section}\0${entry.name}`, entry.line]));
  return entries.map(entry => ({ ...entry, line: lines.get(`${entry.section}\0${entry.name}`) ?? 0 }));
};

const nameAt = (root: TomlTable, paths: readonly string[]): string | null => {
  for (const path of paths) for (const [, value] of valuesAt(root, path)) if (typeof value === 'string') return value;
  return null;
};

const readWhole = (sections: TomlSections, piece: Piece): Manifest => {
  const root = parseToml(piece.lines.map(line => line.text).join('\n'));
  if (root === null) return { name: null, entries: [], workspaces: [], private: false, problem: 'it is not valid TOML' };
  const maps = sections.maps.flatMap(path => valuesAt(root, path).flatMap(([at, value]) => mapEntries(sections, at, value)));
  const lists = sections.lists.flatMap(path => valuesAt(root, path).flatMap(([at, value]) => listEntries(at, value, 0)));
  const shown = [...tomlStatements(piece.lines, true)].flatMap(statement => statementEntries(sections, statement));
  return { name: nameAt(root, sections.names), entries: located([...maps, ...lists], shown), workspaces: [], private: false, problem: null };
};

const readToml =
  (sections: TomlSections) =>
  (pieces: readonly Piece[]): Manifest => {
    const [first] = pieces;
    if (first?.whole === true) return readWhole(sections, first);
    const entries = pieces.flatMap(piece => [...tomlStatements(piece.lines, false)].flatMap(statement => statementEntries(sections, statement)));
    return { name: null, entries, workspaces: [], private: false, problem: null };
  };

export const readCargoToml: (pieces: readonly Piece[]) => Manifest = readToml(CARGO);
export const readPyproject: (pieces: readonly Piece[]) => Manifest = readToml(PYPROJECT);
export const readPipfile: (pieces: readonly Piece[]) => Manifest = readToml(PIPFILE);
