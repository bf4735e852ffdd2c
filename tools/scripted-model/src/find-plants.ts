/**
 * Reads a prompt as a model does: file headings, numbered lines, and marks on added lines. Nothing else is known here,
 * so a file or a line that the prompt lost is a finding that is lost.
 *
 * A file starts with `=== path (words about it)`. An added line is `. 13 +text`: old number, new number, sign.
 * A mark is a comment `weir-plant: <severity> <category> <title>`; a category of `-` is none.
 */
export interface Plant {
  readonly path: string;
  /** 1-based, on the new side, as printed in the prompt. */
  readonly line: number;
  readonly severity: string;
  readonly category: string | null;
  readonly title: string;
  /** The line as the prompt shows it, without numbers and sign. */
  readonly code: string;
}

const MARK = /weir-plant:[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S.*)$/;
const ADDED = /^ {0,12}(?:\d+|\.) {1,12}(\d+) {1,12}\+(.*)$/;
const HEADING = '=== ';
/** What stands in brackets behind a path starts with one of these; other brackets belong to the path. */
const ABOUT = / \((?:added|deleted|renamed|copied|mode|unparsed|binary|submodule|lines end|old side|new side)\b/;
const COMMENT_END = /[ \t]{0,8}(?:\*\/|-->|#\})[ \t]{0,8}$/;

/** @param prompt the user message. Plants come in the order of the text. */
export function findPlants(prompt: string): readonly Plant[] {
  const plants: Plant[] = [];
  let path: string | undefined;
  for (const line of prompt.split('\n')) {
    if (line.startsWith(HEADING)) path = line.slice(HEADING.length).split(ABOUT, 1)[0];
    const plant = path === undefined ? undefined : plantOn(line, path);
    if (plant !== undefined) plants.push(plant);
  }
  return plants;
}

function plantOn(line: string, path: string): Plant | undefined {
  const added = ADDED.exec(line);
  const mark = added === null ? null : MARK.exec(line);
  if (added === null || mark === null) return undefined;
  const [, number = '', code = ''] = added;
  const [, severity = '', category = '', title = ''] = mark;
  return { path, line: Number(number), severity, category: category === '-' ? null : category, title: title.replace(COMMENT_END, ''), code };
}

const REMOVED = /^ {0,12}\d+ {1,12}\. {1,12}-/;

/** The title of a mark on a removed line. */
export function plantOfRemoved(line: string): string | undefined {
  const [, , , title] = (REMOVED.test(line) ? MARK.exec(line) : null) ?? [];
  return title?.replace(COMMENT_END, '');
}
