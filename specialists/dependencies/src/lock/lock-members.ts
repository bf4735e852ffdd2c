/**
 * Ranges that a lockfile repeats for each member of its workspace, by the member's folder ('' for the one beside it).
 * What is repeated is what the lockfile was made from; it shows drift that versions alone would hide.
 */
import type { DependencyEntry } from '../dependency-entry.ts';
import { walkJson } from '../json-walk.ts';
import { wholePiece } from '../piece.ts';
import { walkYaml } from '../yaml-walk.ts';

export type LockMembers = ReadonlyMap<string, readonly DependencyEntry[]>;

const RECORDED = new Set(['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']);

const add = (members: Map<string, DependencyEntry[]>, member: string, entry: DependencyEntry): void => {
  const entries = members.get(member) ?? [];
  entries.push(entry);
  members.set(member, entries);
};

const jsonMembers =
  (root: string, isMember: (folder: string) => boolean) =>
  (lockText: string): LockMembers => {
    const members = new Map<string, DependencyEntry[]>();
    for (const { path, key, value, kind, line } of walkJson(wholePiece(lockText).lines)) {
      const [top, member = '', section = ''] = path;
      if (kind === 'string' && top === root && path.length === 3 && RECORDED.has(section) && isMember(member))
        add(members, member, { section, name: key, spec: value, line });
    }
    return members;
  };

/** `packages[<folder>]` of package-lock.json, versions 2 and 3. */
export const npmMembers: (lockText: string) => LockMembers = jsonMembers('packages', folder => !folder.includes('node_modules/'));
/** `workspaces[<folder>]` of bun.lock. */
export const bunMembers: (lockText: string) => LockMembers = jsonMembers('workspaces', () => true);

/** Lines of pnpm-lock.yaml before `packages:`; what follows is most of the file and says nothing of members. */
export const pnpmHead = (lockText: string): string => {
  const end = /^(?:packages|snapshots):/m.exec(lockText);
  return end === null ? lockText : lockText.slice(0, end.index);
};

/** `importers` of pnpm-lock.yaml, or its top level where a lone project has none; the project beside it is keyed `.`. */
export const pnpmMembers = (lockText: string): LockMembers => {
  const members = new Map<string, DependencyEntry[]>();
  for (const { path, key, value, line } of walkYaml(wholePiece(pnpmHead(lockText)).lines)) {
    const section = path.at(-2) ?? '';
    const nested = path[0] === 'importers' && path.length === 4;
    if (key !== 'specifier' || !RECORDED.has(section) || !(nested || path.length === 2)) continue;
    const member = nested && path[1] !== '.' ? (path[1] ?? '') : '';
    add(members, member, { section, name: path.at(-1) ?? '', spec: value, line });
  }
  return members;
};
