/**
 * Decides what a section's header means: both paths, the kind of change, the modes.
 * Lines that name a path outright (rename, copy) win over `---` and `+++`, and these over the `diff --git` line.
 */
import type { FileHead } from './diff-events.ts';
import type { FileKind } from './diff-model.ts';
import { splitHeaderNames } from './header-names.ts';
import type { HunkHeader, LineSpan } from './hunk-header.ts';
import { type NamePair, stripLoneName, stripPrefixes } from './name-prefix.ts';
import { readWholeName, type StampedName } from './quoted-name.ts';
import { noteProblem, type Section, SUBMODULE_MODE } from './section.ts';

interface Paths {
  readonly old: string | null;
  readonly new: string | null;
}

/** The head of a section whose header has ended, at its first hunk or (null) without any. Notes problems in the section. */
export const headOf = (section: Section, firstHunk: HunkHeader | null): FileHead => {
  const paths = pathsOf(section, firstHunk);
  const added = paths.old === null && paths.new !== null;
  const deleted = paths.new === null && paths.old !== null;
  if (firstHunk === null) noteMissingHunks(section, added || deleted);
  const oldMode = added ? null : section.oldMode;
  const newMode = deleted ? null : section.newMode;
  return {
    oldPath: paths.old,
    newPath: paths.new,
    kind: kindOf(section, { added, deleted, modesDiffer: firstHunk === null && !section.hasContent && oldMode !== newMode }),
    oldMode,
    newMode,
    binary: section.binary,
    submodule: section.submodule || oldMode === SUBMODULE_MODE || newMode === SUBMODULE_MODE,
  };
};

interface Change {
  readonly added: boolean;
  readonly deleted: boolean;
  readonly modesDiffer: boolean;
}

function kindOf(section: Section, change: Change): FileKind {
  if (section.unreadable) return 'unparsed';
  if (change.added) return 'added';
  if (change.deleted) return 'deleted';
  if (section.moved !== null) return section.moved;
  return change.modesDiffer && !section.binary && !section.submodule ? 'mode' : 'modified';
}

/** A header that promises hunks which are not there was cut, or its diff hides changes of white space. */
function noteMissingHunks(section: Section, oneSided: boolean): void {
  if (section.form === 'named' || section.binary || section.submodule) return;
  // A combined diff names its files also where it has no hunks, and lists blobs of which some differ.
  if (section.form === 'combined' ? !changesMode(section) && !(oneSided && !section.hasContent) : lacksHunks(section, oneSided)) {
    noteProblem(section, 'the section ends before its hunks');
  }
}

/** Moves, changes of mode and empty files have no hunks, unless the content differs too. */
function lacksHunks(section: Section, oneSided: boolean): boolean {
  const moved = section.movedFrom !== null && section.movedTo !== null;
  return section.oldName !== null || section.hasContent || !(moved || oneSided || changesMode(section));
}

function changesMode({ listsModes, oldMode, newMode }: Section): boolean {
  return listsModes || (oldMode !== null && newMode !== null && oldMode !== newMode);
}

function pathsOf(section: Section, firstHunk: HunkHeader | null): Paths {
  if (section.movedFrom !== null && section.movedTo !== null) return { old: section.movedFrom, new: section.movedTo };
  const paths = BY_FORM[section.form](section, firstHunk);
  return { old: section.created ? null : paths.old, new: section.deleted ? null : paths.new };
}

const BY_FORM: Readonly<Record<Section['form'], (section: Section, firstHunk: HunkHeader | null) => Paths>> = {
  git: gitPaths,
  combined: combinedPaths,
  plain: plainPaths,
  named: section => ({ old: section.names, new: section.names }),
  announced: section => ({ old: section.names, new: section.names }),
  nameless: () => ({ old: null, new: null }),
};

const isNull = (name: StampedName | null): boolean => name?.name === '/dev/null';

const present = (name: StampedName | null): string | null => (name === null || isNull(name) ? null : name.name);

function gitPaths(section: Section): Paths {
  const named = { old: present(section.oldName), new: present(section.newName) };
  const pair = bothPaths(section, named);
  const nothingThere = named.old === null && named.new === null;
  return {
    old: isNull(section.oldName) && !nothingThere ? null : pair.old,
    new: isNull(section.newName) && !nothingThere ? null : pair.new,
  };
}

function bothPaths(section: Section, named: Paths): NamePair {
  if (named.old !== null && named.new !== null) return stripPrefixes({ old: named.old, new: named.new }, true);
  const pair = splitHeaderNames(section.names, named);
  if (pair !== undefined) return stripPrefixes(pair, true);
  const lone = named.old ?? named.new;
  if (lone === null) {
    section.unreadable = true;
    noteProblem(section, 'the two names of the header line can’t be told apart');
  }
  const path = lone === null ? section.names : stripLoneName(lone);
  return { old: path, new: path };
}

/** The opening line has the path without prefix. With --combined-all-paths the first parent's name is on the first `---` line. */
function combinedPaths(section: Section): Paths {
  const path = readWholeName(section.names);
  const [before, after] = [present(section.oldName), present(section.newName)];
  const prefix = after?.endsWith(path) ? after.slice(0, after.length - path.length) : '';
  const depth = prefix.split('/').length - 1;
  return {
    old: isNull(section.oldName) ? null : before === null || after === null ? path : before.split('/').slice(depth).join('/'),
    new: isNull(section.newName) ? null : path,
  };
}

function plainPaths(section: Section, firstHunk: HunkHeader | null): Paths {
  const old = isAbsent(section.oldName, firstHunk?.parents[0]) ? null : present(section.oldName);
  const now = isAbsent(section.newName, firstHunk?.result) ? null : present(section.newName);
  const pair = stripPrefixes({ old: present(section.oldName) ?? '', new: present(section.newName) ?? '' }, false);
  const lone = present(section.oldName) === null || present(section.newName) === null;
  return {
    old: old === null ? null : lone ? stripLoneName(old) : pair.old,
    new: now === null ? null : lone ? stripLoneName(now) : pair.new,
  };
}

/** `diff -N` dates a missing side at the epoch, Subversion says so in words. An old or empty file is told apart by having lines. */
function isAbsent(name: StampedName | null, span: LineSpan | undefined): boolean {
  return name !== null && span?.start === 0 && span.count === 0 && (/^\((?:nonexistent|revision 0)\)$/.test(name.stamp) || isEpoch(name.stamp));
}

function isEpoch(stamp: string): boolean {
  const found = /^(1970-01-01|1969-12-31) (\d\d):(\d\d):00(?:\.0{1,9})?(?: ?([+-])(\d\d):?(\d\d))?$/.exec(stamp);
  if (found === null) return false;
  const [, day, hour, minute, sign, zoneHour = '0', zoneMinute = '0'] = found;
  const local = Number(hour) * 60 + Number(minute) - (day === '1970-01-01' ? 0 : 24 * 60);
  const zone = Number(zoneHour) * 60 + Number(zoneMinute);
  return local === (sign === '-' ? -zone : zone);
}
