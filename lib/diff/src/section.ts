/**
 * The facts of one section of a diff, gathered line by line from its header.
 * `section-head.ts` turns them into the paths, kind and modes that the model shows.
 */
import { readStampedName, readWholeName, type StampedName } from './quoted-name.ts';

/** Longest header line that is read (REV-20e). Paths end at 4,096 bytes on most systems; quoting makes that 16 KiB at most. */
export const HEADER_LINE_MAX = 65_536;

/** Mode of a submodule entry, mode of a parent without the file, and the empty blob's name in SHA-1 and SHA-256. */
export const SUBMODULE_MODE = '160000';
const ABSENT_MODE = '000000';
const EMPTY_BLOBS = ['e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813'];
/** Fewest digits of a blob's name that git prints. */
const BLOB_DIGITS_MIN = 4;

/**
 * `combined` has n parents; `plain` has no `diff --git` line; `named` is one line that names a file and nothing more;
 * `announced` is such a line that gives way to the section that it announces; `nameless` has hunks and no header.
 */
export type SectionForm = 'git' | 'combined' | 'plain' | 'named' | 'announced' | 'nameless';

export interface Section {
  readonly form: SectionForm;
  /** What the opening line says after its keyword: both names, or the path of a combined or named section. */
  readonly names: string;
  oldName: StampedName | null;
  newName: StampedName | null;
  /** From `rename from`, `copy from` and their `to`: whole paths, no prefix. */
  movedFrom: string | null;
  movedTo: string | null;
  moved: 'renamed' | 'copied' | null;
  oldMode: string | null;
  newMode: string | null;
  /** True when a combined diff lists the modes of all parents: one of them differs, perhaps not the first. */
  listsModes: boolean;
  created: boolean;
  deleted: boolean;
  binary: boolean;
  submodule: boolean;
  /** True when the index line, or a similarity below 100%, promises hunks. Of an announced name: when lines in another format followed. */
  hasContent: boolean;
  /** True when the header itself can't be read. */
  unreadable: boolean;
  problem: string | null;
  oldNoEol: boolean;
  newNoEol: boolean;
}

export const newSection = (form: SectionForm, names: string): Section => ({
  form,
  names,
  oldName: null,
  newName: null,
  movedFrom: null,
  movedTo: null,
  moved: null,
  oldMode: null,
  newMode: null,
  listsModes: false,
  created: false,
  deleted: false,
  binary: false,
  submodule: false,
  hasContent: false,
  unreadable: false,
  problem: null,
  oldNoEol: false,
  newNoEol: false,
});

/** Notes the first problem of a section; later ones follow from it. */
export const noteProblem = (section: Section, problem: string): void => {
  section.problem ??= problem;
};

type ReadRest = (section: Section, rest: string) => void;

const move =
  (end: 'movedFrom' | 'movedTo', moved: 'renamed' | 'copied'): ReadRest =>
  (section, rest) => {
    section[end] = readWholeName(rest);
    section.moved = moved;
  };

/** Extended header lines, as `git help diff` lists them under "Generating patch text with -p". */
const ROWS: readonly (readonly [prefix: string, read: ReadRest])[] = [
  ['index ', readIndex],
  ['--- ', (section, rest) => void (section.oldName ??= readStampedName(rest))],
  ['+++ ', (section, rest) => void (section.newName ??= readStampedName(rest))],
  ['new file mode ', (section, rest) => void ([section.created, section.newMode] = [true, modeIn(rest)])],
  ['deleted file mode ', (section, rest) => void ([section.deleted, section.oldMode] = [true, modeIn(rest)])],
  ['old mode ', (section, rest) => void (section.oldMode = modeIn(rest))],
  ['new mode ', (section, rest) => void (section.newMode = modeIn(rest))],
  ['similarity index ', (section, rest) => void (section.hasContent = rest !== '100%')],
  ['dissimilarity index ', () => undefined],
  ['rename from ', move('movedFrom', 'renamed')],
  ['rename to ', move('movedTo', 'renamed')],
  ['copy from ', move('movedFrom', 'copied')],
  ['copy to ', move('movedTo', 'copied')],
  ['mode ', readCombinedModes],
];

/** Reads one header line (without CR and LF); false when it is no header line that is known. */
export const readHeaderLine = (section: Section, line: string): boolean => {
  const row = ROWS.find(([prefix]) => line.startsWith(prefix));
  if (row === undefined) return false;
  if (line.length > HEADER_LINE_MAX) markTooLong(section);
  else row[1](section, line.slice(row[0].length));
  return true;
};

export const markTooLong = (section: Section): void => {
  section.unreadable = true;
  noteProblem(section, `a header line is longer than ${HEADER_LINE_MAX} characters`);
};

/** The first mode of a list: a combined diff prints one a parent. */
function modeIn(text: string): string | null {
  return /^[0-7]{6}(?=$|,)/.exec(text)?.[0] ?? null;
}

/** `index 624b469..5179424 100644`: the mode is there when both sides share it. */
function readIndex(section: Section, rest: string): void {
  const [blobs = '', mode = ''] = rest.split(' ', 2);
  const [before = '', after = ''] = blobs.split('..', 2);
  const known = before.split(',');
  section.hasContent = after === '' || !(known.includes(after) || [after, ...known].some(isEmptyBlob));
  const shared = modeIn(mode);
  section.oldMode ??= shared;
  section.newMode ??= shared;
}

const isEmptyBlob = (name: string): boolean => name.length >= BLOB_DIGITS_MIN && EMPTY_BLOBS.some(empty => empty.startsWith(name));

/** `mode 100644,100755..100755`: the parents' modes and the result's. The first parent may lack the file. */
function readCombinedModes(section: Section, rest: string): void {
  const dots = rest.indexOf('..');
  section.oldMode = modeIn(rest.slice(0, Math.max(dots, 0)));
  section.newMode = dots < 0 ? null : modeIn(rest.slice(dots + 2));
  section.listsModes = true;
  section.created ||= section.oldMode === ABSENT_MODE;
}
