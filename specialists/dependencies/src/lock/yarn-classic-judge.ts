/**
 * yarn.lock of yarn 1 against package.json. It has no sections: a range is known when `name@range` is one of its keys.
 * `yarn install --frozen-lockfile` fails on a range that is not.
 */
import { wholePiece } from '../piece.ts';
import { type Judge, major, type ManifestPlace, type OpenLock } from './judge.ts';
import { nameOfDescriptor } from './text-packages.ts';

const INSTALLED = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);
/** Specs that yarn resolves on disk and keeps out of the lockfile. */
const LOCAL = /^(?:link:|workspace:|portal:|file:|\.{0,2}\/)/;

const scopeOf = (name: string): string => (name.startsWith('@') ? name.slice(0, name.indexOf('/')) : '');

export const openYarnClassicLock: OpenLock = lockText => {
  const keys = new Set<string>();
  const names = new Set<string>();
  for (const { text } of wholePiece(lockText).lines) {
    if (!/^["\w@]/.test(text) || !text.endsWith(':')) continue;
    for (const key of text.slice(0, -1).split(', ')) {
      const plain = key.replace(/^"|"$/g, '');
      keys.add(plain);
      names.add(nameOfDescriptor(plain));
    }
  }
  return place => judgeOf(place, keys, names);
};

const judgeOf = ({ member, manifest }: ManifestPlace, keys: ReadonlySet<string>, names: ReadonlySet<string>): Judge => {
  const inWorkspace = member !== '' || manifest.workspaces.length > 0;
  const overridden = manifest.entries.filter(entry => entry.section === 'resolutions').map(entry => entry.name);
  // `**/name`, `parent/name` and `name` all pin it.
  const isOverridden = (name: string): boolean => overridden.some(pattern => pattern === name || pattern.endsWith(`/${name}`));
  return ({ section, name, after }) => {
    if (after === null || !INSTALLED.has(section) || LOCAL.test(after) || keys.has(`${name}@${after}`) || isOverridden(name)) return null;
    // A sibling of the workspace is linked and has no key; a name of the same scope may be one.
    const maybeSibling = inWorkspace && !names.has(name) && (scopeOf(name) !== '' ? scopeOf(name) === scopeOf(manifest.name ?? '') : true);
    return maybeSibling ? null : major(names.has(name) ? `has no ${name}@${after} there` : 'is missing from it');
  };
};
