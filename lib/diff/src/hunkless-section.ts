/**
 * One-line sections of diffs: binary files of `diff -r`, submodules of `git diff --submodule=log`, files that only one tree has.
 * Each becomes a visible file without hunks.
 */
import { namesOnePath, stripLoneName, stripPrefixes } from './name-prefix.ts';
import { newSection, noteProblem, type Section } from './section.ts';

/** Places where ` and ` may part two names; more only costs time. */
const SPLITS_MAX = 64;

/** Undefined when the line is no such section. `amongDiffs` says that no other text came before it: only then is `Only in` one. */
export const hunklessSection = (line: string, amongDiffs: boolean): Section | undefined => {
  if (line.startsWith('Submodule ')) return submoduleSection(line);
  if (line.startsWith('Binary files ') && line.endsWith(' differ')) return binarySection(line.slice('Binary files '.length, -' differ'.length));
  return amongDiffs && line.startsWith('Only in ') ? listedSection(line.slice('Only in '.length)) : undefined;
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

function binarySection(names: string): Section | undefined {
  const places: number[] = [];
  for (let at = names.indexOf(' and '); at > 0 && places.length < SPLITS_MAX; at = names.indexOf(' and ', at + 1)) places.push(at);
  const pairs = places.map(at => ({ old: names.slice(0, at), new: names.slice(at + ' and '.length) }));
  const pair = pairs.find(namesOnePath) ?? pairs[0];
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

function listedSection(place: string): Section | undefined {
  const colon = place.lastIndexOf(': ');
  if (colon < 1) return undefined;
  const section = newSection('named', `${place.slice(0, colon)}/${place.slice(colon + 2)}`);
  section.unreadable = true;
  noteProblem(section, 'only the file’s name is in the diff, not its content');
  return section;
}
