/**
 * Packages of lockfiles that are not JSON: yarn.lock (both generations), pnpm-lock.yaml, Cargo.lock, go.sum, and the
 * files that poetry.lock, pdm.lock and uv.lock list. Each is written by its tool alone, one field a line.
 */
import type { NumberedLine, Piece } from '../piece.ts';
import { walkYaml, type YamlProperty } from '../yaml-walk.ts';
import { type LockedFields, type LockedPackage, lockedPackage } from './locked-package.ts';

interface OpenEntry {
  name: string;
  readonly line: number;
  readonly fields: LockedFields;
}

/** Longer lines are passed over; no tool writes one in an entry's own fields. */
const MAX_LINE_CHARS = 20_000;

type FieldOf = (text: string) => readonly [field: keyof LockedFields | 'name', value: string] | undefined;

/** Groups fields below the line that starts an entry; `starts` answers the entry's name, '' when a field gives it. */
const grouped = (lines: readonly NumberedLine[], starts: (text: string) => string | undefined, fieldOf: FieldOf): LockedPackage[] => {
  const entries: OpenEntry[] = [];
  let open: OpenEntry | undefined;
  for (const { line, text } of lines) {
    if (text.length > MAX_LINE_CHARS) continue;
    const name = starts(text);
    const found = name === undefined ? fieldOf(text) : undefined;
    if (name !== undefined || (open === undefined && found !== undefined)) {
      open = { name: name ?? '', line, fields: {} };
      entries.push(open);
    }
    if (found === undefined || open === undefined) continue;
    if (found[0] === 'name') open.name = found[1];
    else open.fields[found[0]] ??= { value: found[1], line };
  }
  return entries.map(entry => lockedPackage(entry.name, entry.line, entry.fields));
};

/** `"@s/a@^1, @s/a@^2":` → `@s/a`. */
export const nameOfDescriptor = (descriptor: string): string => {
  const first = descriptor.trim().replace(/^"/, '');
  return first.slice(0, Math.max(0, first.indexOf('@', 1)));
};

const YARN_FIELDS: Readonly<Record<string, keyof LockedFields>> = { version: 'version', resolved: 'source', integrity: 'integrity', checksum: 'integrity' };
const yarnField: FieldOf = text => {
  const found = /^ {2}(version|resolved|integrity|checksum):? +"?([^"]+?)"?$/.exec(text);
  const field = YARN_FIELDS[found?.[1] ?? ''];
  return found === null || field === undefined ? undefined : [field, found[2] ?? ''];
};
/** Patches, folders and archives of yarn 2 and later may change under one version, so such an entry gets no name to compare. */
const UNSETTLED = /@(?:patch|file|portal|link|exec|workspace|git|https?):/;
const yarnStart = (text: string): string | undefined => {
  if (!/^["\w@]/.test(text) || !text.endsWith(':')) return undefined;
  return UNSETTLED.test(text) ? '' : nameOfDescriptor(text);
};

const TOML_FIELD = /^(name|version|source|checksum) = (.+)$/;
const TOML_FIELDS: Readonly<Record<string, keyof LockedFields | 'name'>> = { name: 'name', version: 'version', source: 'source', checksum: 'integrity' };
const tomlField: FieldOf = text => {
  const found = TOML_FIELD.exec(text);
  const field = TOML_FIELDS[found?.[1] ?? ''];
  // uv writes its source as a table: `source = { registry = "https://…" }`.
  const value = /"([^"]*)"/.exec(found?.[2] ?? '')?.[1];
  return field === undefined || value === undefined ? undefined : [field, value];
};
const tomlStart = (text: string): string | undefined => (text.startsWith('[') ? '' : undefined);

const GO_SUM = /^(\S+) (v\S+) (h1:\S+)$/;
const goPackages = (lines: readonly NumberedLine[]): LockedPackage[] =>
  lines.flatMap(({ line, text }) => {
    const found = text.length > MAX_LINE_CHARS ? null : GO_SUM.exec(text);
    const [, name = '', version = '', sum = ''] = found ?? [];
    return found === null ? [] : [lockedPackage(name, line, { version: { value: version, line }, integrity: { value: sum, line } })];
  });

/** Stands for the version of an entry that is one file of a release; the file's name holds the real one. */
export const FILE_VERSION = 'file';

/** A file of a Python release: `{file = "a-1.0.whl", hash = "sha256:…"}` or with `url = "https://…/a-1.0.whl"`. */
const PYTHON_FILE = /\{\s*(?:file|url)\s*=\s*"([^"]+)",\s*hash\s*=\s*"([^"]+)"/;
const pythonFile = ({ line, text }: NumberedLine): LockedPackage[] => {
  const found = text.length > MAX_LINE_CHARS ? null : PYTHON_FILE.exec(text);
  if (found === null) return [];
  const [, place = '', hash = ''] = found;
  const url = place.includes('://') ? place : '';
  const file = place.slice(place.lastIndexOf('/') + 1);
  return [lockedPackage(file, line, { version: { value: FILE_VERSION, line }, source: { value: url, line }, integrity: { value: hash, line } })];
};

/** A package that poetry takes from a file, folder, URL or repository (`[package.source]`) may be built again under one name. */
const BUILT_AGAIN = /^type = "(?:file|directory|url|git)"$/;

const pythonFiles = (lines: readonly NumberedLine[]): LockedPackage[] => {
  const blocks: NumberedLine[][] = [[]];
  for (const shown of lines) {
    if (shown.text === '[[package]]') blocks.push([]);
    blocks.at(-1)?.push(shown);
  }
  return blocks.filter(block => !block.some(({ text }) => BUILT_AGAIN.test(text))).flatMap(block => block.flatMap(pythonFile));
};

/** `/@s/a@1.0.0(peer@2):`, `/a/1.0.0:` (version 5) or `a@1.0.0:` → name and version. */
const splitPnpmKey = (key: string): readonly [name: string, version: string] => {
  const plain = key.replace(/^\//, '').replace(/[(_].*$/, '');
  const at = plain.indexOf('@', 1);
  const cut = at > 0 ? at : plain.lastIndexOf('/');
  return cut > 0 ? [plain.slice(0, cut), plain.slice(cut + 1)] : [plain, ''];
};

const inlineValue = (flow: string, key: string): string | undefined => new RegExp(`[{,]\\s*${key}:\\s*([^,}]+)`).exec(flow)?.[1]?.trim();

/** Fields that one line of a pnpm entry states. */
const pnpmFields = ({ key, value, line }: YamlProperty): LockedFields => {
  if (key === 'requiresBuild') return { installScript: { value, line } };
  const integrity = inlineValue(value, 'integrity');
  const source = inlineValue(value, 'tarball') ?? inlineValue(value, 'repo');
  return {
    ...(integrity === undefined ? {} : { integrity: { value: integrity, line } }),
    ...(source === undefined ? {} : { source: { value: source, line } }),
  };
};

const pnpmPackages = (piece: Piece): LockedPackage[] => {
  const entries = new Map<string, OpenEntry>();
  for (const property of walkYaml(piece.lines)) {
    const { path, key, line } = property;
    if (key !== 'resolution' && key !== 'requiresBuild') continue;
    if (piece.whole && (path[0] !== 'packages' || path.length !== 2)) continue;
    const id = path.at(-1) ?? '';
    const [name, version] = splitPnpmKey(id);
    const entry = entries.get(id) ?? { name, line, fields: { version: { value: version, line } } };
    entries.set(id, { ...entry, fields: { ...entry.fields, ...pnpmFields(property) } });
  }
  return [...entries.values()].map(entry => lockedPackage(entry.name, entry.line, entry.fields));
};

type ReadPackages = (pieces: readonly Piece[]) => readonly LockedPackage[];

export const readYarnPackages: ReadPackages = pieces => pieces.flatMap(piece => grouped(piece.lines, yarnStart, yarnField));
export const readPnpmPackages: ReadPackages = pieces => pieces.flatMap(pnpmPackages);
export const readTomlPackages: ReadPackages = pieces => pieces.flatMap(piece => [...grouped(piece.lines, tomlStart, tomlField), ...pythonFiles(piece.lines)]);
export const readGoSum: ReadPackages = pieces => pieces.flatMap(piece => goPackages(piece.lines));
