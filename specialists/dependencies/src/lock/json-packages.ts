/**
 * Packages of package-lock.json, npm-shrinkwrap.json (docs.npmjs.com "package-lock.json", versions 1 to 3) and bun.lock.
 */
import { type JsonProperty, walkJson } from '../json-walk.ts';
import type { Piece } from '../piece.ts';
import { type LockedField, type LockedFields, type LockedPackage, lockedPackage } from './locked-package.ts';

const FIELDS: Readonly<Record<string, keyof LockedFields>> = {
  version: 'version',
  resolved: 'source',
  integrity: 'integrity',
  hasInstallScript: 'installScript',
};

/** Objects inside an entry whose keys are package names or settings, never fields of a package. */
const INNER = new Set([
  'requires',
  'peerDependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependenciesMeta',
  'engines',
  'bin',
  'funding',
  'overrides',
]);

/** `node_modules/a/node_modules/@s/b` → `@s/b`; a workspace's folder stays as it is. */
export const nameOfLockPath = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + (path.includes('node_modules/') ? 13 : 0));

interface OpenEntry {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly fields: LockedFields;
}

/** True for a place where an entry's fields stand. In versions 2 and 3 `packages.<path>.dependencies` holds ranges instead. */
const isEntry = (path: readonly string[]): boolean => {
  const inner = path.at(-1) ?? '';
  if (path.length > 0 && (inner === '' || INNER.has(inner))) return false;
  if (inner === 'dependencies' && path.at(-2) !== 'dependencies') return false;
  return !(path[0] === 'packages' && path.length !== 2);
};

const fieldOf = (piece: Piece, { kind, key, path }: JsonProperty): keyof LockedFields | undefined => {
  if (kind === 'open' || !Object.hasOwn(FIELDS, key) || !isEntry(path)) return undefined;
  return piece.whole && path.length === 0 ? undefined : FIELDS[key];
};

/** An entry ends where another object's field follows; in a fragment also where a field comes again. */
const npmPackagesOf = (piece: Piece): LockedPackage[] => {
  const entries: OpenEntry[] = [];
  for (const property of walkJson(piece.lines)) {
    const field = fieldOf(piece, property);
    if (field === undefined) continue;
    let open = entries.at(-1);
    if (open === undefined || open.path !== property.path.join('\0') || open.fields[field] !== undefined) {
      open = { path: property.path.join('\0'), name: nameOfLockPath(property.path.at(-1) ?? ''), line: property.line, fields: {} };
      entries.push(open);
    }
    open.fields[field] = { value: property.value, line: property.line };
  }
  return entries.map(entry => lockedPackage(entry.name, entry.line, entry.fields));
};

const isBunItem = ({ key, kind, path }: JsonProperty): boolean =>
  key === '' && kind === 'string' && (path[0] === 'packages' ? path.length === 2 : path.length === 1);

/** An entry is `"name": ["name@1.0.0", "<registry or ''>", {…}, "sha512-…"]` (bun.sh "Lockfile"). */
const bunPackagesOf = (piece: Piece): LockedPackage[] => {
  const found: LockedPackage[] = [];
  let items: { readonly path: string; readonly values: string[] } = { path: '', values: [] };
  for (const property of walkJson(piece.lines)) {
    if (!isBunItem(property)) continue;
    const path = property.path.join('\0');
    if (items.path !== path) items = { path, values: [] };
    items.values.push(property.value);
    const [id = '', source = ''] = items.values;
    const at = id.lastIndexOf('@');
    if (at < 1 || items.values.length < 3 || !/^sha\d+-/.test(property.value)) continue;
    const field = (value: string): LockedField => ({ value, line: property.line });
    found.push(lockedPackage(id.slice(0, at), property.line, { version: field(id.slice(at + 1)), source: field(source), integrity: field(property.value) }));
  }
  return found;
};

export const readNpmPackages = (pieces: readonly Piece[]): readonly LockedPackage[] => pieces.flatMap(npmPackagesOf);
export const readBunPackages = (pieces: readonly Piece[]): readonly LockedPackage[] => pieces.flatMap(bunPackagesOf);
