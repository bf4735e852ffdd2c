/**
 * The files that differ between two commits, as git names them, with the patch text and each line's two numbers.
 * Read from one `git diff` run; the sections come in the order of the raw entries.
 */

export type FileStatus = 'added' | 'modified' | 'removed' | 'renamed' | 'copied';

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly oldLine: number | null;
  readonly newLine: number | null;
  /** Index of the hunk in its file, from 0. */
  readonly hunk: number;
  /** Lines below the file's first hunk header, from 1; later headers count too. */
  readonly position: number;
  readonly text: string;
}

export interface ChangedFile {
  readonly status: FileStatus;
  readonly path: string;
  readonly oldPath: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly blob: string;
  readonly binary: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** The hunks, from the first `@@`; null for a binary file, a pure rename or a mode change. */
  readonly patch: string | null;
  /** The whole section with its headers. */
  readonly section: string;
  readonly lines: readonly DiffLine[];
}

interface RawEntry {
  readonly status: string;
  readonly oldPath: string;
  readonly path: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly blob: string;
}

const STATUS: Readonly<Record<string, FileStatus>> = { A: 'added', M: 'modified', D: 'removed', R: 'renamed', C: 'copied', T: 'modified' };

/** Joins `git diff --raw -z` with the sections of `git diff -p` of the same two commits. */
export function readChangedFiles(raw: string, patch: string): readonly ChangedFile[] {
  const sections = splitSections(patch);
  let next = 0;
  return rawEntries(raw).map(entry => {
    // git prints a change of type as a deletion and an addition.
    const count = entry.status === 'T' ? 2 : 1;
    const section = sections.slice(next, next + count).join('');
    next += count;
    return changedFile(entry, section);
  });
}

function rawEntries(raw: string): readonly RawEntry[] {
  const fields = raw.split('\0');
  const entries: RawEntry[] = [];
  for (let at = 0; at < fields.length; ) {
    const head = fields[at];
    if (head === undefined || !head.startsWith(':')) break;
    const entry = rawEntry(head, fields[at + 1] ?? '', fields[at + 2] ?? '');
    entries.push(entry);
    at += entry.status === 'R' || entry.status === 'C' ? 3 : 2;
  }
  return entries;
}

/** `:100644 100644 <blob> <blob> M`; a rename and a copy carry two paths. */
function rawEntry(head: string, first: string, second: string): RawEntry {
  const [oldMode = '', newMode = '', , blob = '', code = ''] = head.slice(1).split(' ');
  const status = code.slice(0, 1);
  return { status, oldPath: first, path: status === 'R' || status === 'C' ? second : first, oldMode, newMode, blob };
}

/** Content lines start with a space, a sign or a backslash, so a header word at the start of a line is a header. */
function splitSections(patch: string): readonly string[] {
  const sections: string[] = [];
  let start = patch.startsWith('diff --git ') ? 0 : -1;
  while (start >= 0) {
    const next = patch.indexOf('\ndiff --git ', start);
    sections.push(patch.slice(start, next < 0 ? patch.length : next + 1));
    start = next < 0 ? -1 : next + 1;
  }
  return sections;
}

function changedFile(entry: RawEntry, section: string): ChangedFile {
  const at = section.startsWith('@@ ') ? 0 : section.indexOf('\n@@ ') + 1;
  const patch = at > 0 ? section.slice(at).replace(/\n$/, '') : null;
  const lines = patch === null ? [] : readDiffLines(patch);
  return {
    status: STATUS[entry.status] ?? 'modified',
    path: entry.path,
    oldPath: entry.oldPath,
    oldMode: entry.oldMode,
    newMode: entry.newMode,
    blob: entry.blob,
    binary: patch === null && /^(Binary files |GIT binary patch)/m.test(section),
    additions: lines.filter(line => line.kind === 'added').length,
    deletions: lines.filter(line => line.kind === 'removed').length,
    patch,
    section,
    lines,
  };
}

/** Walks the hunks of one file. Header counts are not needed: the sign of a line says which side it is on. */
export function readDiffLines(patch: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let oldLine = 0;
  let newLine = 0;
  let hunk = -1;
  let position = -1;
  for (const row of patch.split('\n')) {
    position += 1;
    const sign = row.charAt(0);
    if (sign === '@') {
      const numbers = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(row);
      oldLine = Number(numbers?.[1] ?? 0);
      newLine = Number(numbers?.[2] ?? 0);
      hunk += 1;
    } else if (sign === '+') lines.push({ kind: 'added', oldLine: null, newLine: newLine++, hunk, position, text: row.slice(1) });
    else if (sign === '-') lines.push({ kind: 'removed', oldLine: oldLine++, newLine: null, hunk, position, text: row.slice(1) });
    else if (sign === ' ') lines.push({ kind: 'context', oldLine: oldLine++, newLine: newLine++, hunk, position, text: row.slice(1) });
  }
  return lines;
}
