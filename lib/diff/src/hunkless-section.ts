/**
 * One-line sections of diffs: binary files of `diff -r`, submodules of `git diff --submodule=log`, files that only one tree has,
 * and names that come before a section. Each becomes a visible file without hunks.
 */
import { splitHeaderNames } from './header-names.ts';
import { type NamePair, namesOnePath, stripLoneName, stripPrefixes } from './name-prefix.ts';
import { readStampedName } from './quoted-name.ts';
import { newSection, noteProblem, type Section } from './section.ts';

/** Places where ` and ` may part two names; more only costs time. */
const SPLITS_MAX = 64;

type ReadLine = (line: string) => Section | undefined;

/** Lines that are a section wherever they stand. */
const ANYWHERE: readonly (readonly [start: string, end: string, read: ReadLine])[] = [
  ['Submodule ', '', submoduleSection],
  ['Binary files ', ' differ', binarySection],
];

/** Lines that people write too: a section only where no other text came before. */
const AMONG_DIFFS: readonly (readonly [start: string, end: string, read: ReadLine])[] = [
  ['Only in ', '', listedSection],
  ['Files ', ' differ', comparedSection],
  ['* Unmerged path ', '', line => nameOnly(line.slice('* Unmerged path '.length), 'the file has an unresolved merge conflict; the diff does not show it')],
  ['Binary file ', ' has changed', changedBinary],
  ['diff -', '', commandSection],
  // UTF-16 with its byte order mark: every other byte is zero, and no line of it can be read.
  ['\udcff\udcfe', '', () => namelessSection(UTF_16)],
  ['\udcfe\udcff', '', () => namelessSection(UTF_16)],
];

const ALL = [...ANYWHERE, ...AMONG_DIFFS];
const NAME_ONLY = 'only the file’s name is in the diff, not its content';
const UTF_16 = 'the diff is UTF-16 text; write it as UTF-8';

/** Undefined when the line is no such section. `amongDiffs` says that no other text came before it. */
export const hunklessSection = (line: string, amongDiffs: boolean): Section | undefined => {
  const row = (amongDiffs ? ALL : ANYWHERE).find(([start, end]) => line.startsWith(start) && line.endsWith(end));
  return row?.[2](line);
};

/** A section that shows only if no other of this path follows. */
export const announcedSection = (path: string): Section => {
  const section = newSection('announced', path);
  section.unreadable = true;
  noteProblem(section, 'no unified diff follows the file’s name');
  return section;
};

/** Hunks or bytes that no line names. */
export const namelessSection = (problem: string): Section => {
  const section = newSection('nameless', '');
  section.unreadable = true;
  noteProblem(section, problem);
  return section;
};

/** The header of `diff -c`, whose hunks are not read. */
export const contextDiffSection = (old: string, now: string): Section => {
  const names = { old: readStampedName(old).name, new: readStampedName(now).name };
  return nameOnly(pathOfPair(names), 'it is a context diff; only unified diffs are read');
};

function submoduleSection(line: string): Section | undefined {
  const found = /^Submodule (.+?) (?:[0-9a-f]{4,64}\.{2,3}[0-9a-f]{4,64}( \([a-z ]+\))?:?|contains (?:untracked|modified) content)$/s.exec(line);
  if (found === null) return undefined;
  const section = newSection('named', found[1] ?? '');
  section.submodule = true;
  section.created = found[2] === ' (new submodule)';
  section.deleted = found[2] === ' (submodule deleted)';
  return section;
}

function binarySection(line: string): Section | undefined {
  const pair = pairAround(line.slice('Binary files '.length, -' differ'.length));
  if (pair === undefined) return undefined;
  const [created, deleted] = [pair.old === '/dev/null', pair.new === '/dev/null'];
  const lone = created ? pair.new : pair.old;
  const paths = created || deleted ? { old: stripLoneName(lone), new: stripLoneName(lone) } : stripPrefixes(pair, false);
  const section = newSection('named', paths.new);
  section.movedFrom = created || deleted ? null : paths.old;
  section.movedTo = created || deleted ? null : paths.new;
  section.created = created;
  section.deleted = deleted;
  section.binary = true;
  return section;
}

/** The line of `diff -q`. */
function comparedSection(line: string): Section | undefined {
  const pair = pairAround(line.slice('Files '.length, -' differ'.length));
  return pair && nameOnly(pathOfPair(pair), NAME_ONLY);
}

function pairAround(names: string): NamePair | undefined {
  const places: number[] = [];
  for (let at = names.indexOf(' and '); at > 0 && places.length < SPLITS_MAX; at = names.indexOf(' and ', at + 1)) places.push(at);
  const pairs = places.map(at => ({ old: names.slice(0, at), new: names.slice(at + ' and '.length) }));
  return pairs.find(namesOnePath) ?? pairs[0];
}

function changedBinary(line: string): Section {
  const section = newSection('named', line.slice('Binary file '.length, -' has changed'.length));
  section.binary = true;
  return section;
}

/** The command line that `diff -r` (two names) and Mercurial (`-r` revisions, one name) print before a section. */
function commandSection(line: string): Section | undefined {
  const names = /^diff (?:--?[^- ]\S* (?:[0-9a-f]{12,64} )?)+(.+)$/s.exec(line)?.[1];
  if (names === undefined) return undefined;
  const pair = splitHeaderNames(names, { old: null, new: null });
  return announcedSection(pair === undefined ? names : pathOfPair(pair));
}

function pathOfPair(pair: NamePair): string {
  return stripPrefixes(pair, true).new;
}

function listedSection(line: string): Section | undefined {
  const place = line.slice('Only in '.length);
  const colon = place.lastIndexOf(': ');
  if (colon < 1) return undefined;
  return nameOnly(`${place.slice(0, colon)}/${place.slice(colon + 2)}`, NAME_ONLY);
}

function nameOnly(path: string, problem: string): Section {
  const section = newSection('named', path);
  section.unreadable = true;
  noteProblem(section, problem);
  return section;
}
