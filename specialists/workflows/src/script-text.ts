/**
 * Reads shell text just far enough: comments, quoted here-documents, simple commands and what is written to the runner's files.
 * Everything is line by line and linear; a construct that is not understood is plain code.
 */

export type Region = 'code' | 'comment' | 'quoted-heredoc';

export interface ScriptLine {
  readonly offset: number;
  readonly text: string;
  readonly region: Region;
}

/** Longer lines are read only this far: they are data, and the patterns below are then bounded (REV-14: said in the README). */
const MAX_LINE = 8_000;

const HEREDOC = /<<-?[ \t]*(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)"|\\([A-Za-z_]\w*)|([A-Za-z_]\w*))/;

const regionOf = (text: string): Region => (/^\s*#/.test(text) ? 'comment' : 'code');

/** The lines of a script. In a quoted here-document and in a comment the shell expands nothing. */
export const scriptLines = (script: string): readonly ScriptLine[] => {
  const lines: ScriptLine[] = [];
  let offset = 0;
  let end: string | undefined;
  let quoted = false;
  for (const whole of script.split('\n')) {
    const text = whole.slice(0, MAX_LINE);
    if (end === undefined) {
      lines.push({ offset, text, region: regionOf(text) });
      const opened = regionOf(text) === 'code' ? HEREDOC.exec(text) : null;
      if (opened) {
        quoted = opened[4] === undefined;
        end = opened[1] ?? opened[2] ?? opened[3] ?? opened[4];
      }
    } else {
      const closes = text.trim() === end;
      lines.push({ offset, text, region: quoted && !closes ? 'quoted-heredoc' : 'code' });
      if (closes) end = undefined;
    }
    offset += whole.length + 1;
  }
  return lines;
};

/** The region of a character of the script. */
export const regionAt = (lines: readonly ScriptLine[], offset: number): Region => {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return lines[low]?.region ?? 'code';
};

/** Names of the variables that a piece of shell text expands: `$NAME`, `${NAME…}`, `$env:NAME`. */
export const expandedNames = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/\$(?:env:|\{env:|\{)?([A-Za-z_]\w*)/g)].map(match => match[1] ?? '')),
];

/** The simple commands of a line, without leading assignments and wrappers such as `sudo`. */
export const commandsOf = (line: string): readonly string[] =>
  line
    .split(/&&|\|\||[;|({]/)
    .map(part => part.trim().replace(/^(?:[A-Za-z_]\w*=\S*\s+|(?:sudo|time|exec|then|do|else|if|!)\s+)*/, ''))
    .filter(part => part !== '');

/** One value that a script hands to later steps through a file of the runner. */
export interface RunnerWrite {
  readonly file: 'GITHUB_OUTPUT' | 'GITHUB_ENV' | 'GITHUB_PATH';
  /** Undefined for GITHUB_PATH, whose lines have no name. */
  readonly name: string | undefined;
  readonly value: string;
  readonly offset: number;
  /** Offset of `value` in the script. */
  readonly valueOffset: number;
}

const TARGET = /(?:>\s*|\btee\s+(?:-a\s+)?|\bOut-File\b[^|]{0,80}?\s)["']?\$(?:env:|\{)?(GITHUB_(?:OUTPUT|ENV|PATH))\b/;
const SAYS = /^\s*(?:echo|printf|Write-Output)?\s*(?:-\w+\s+)?["']?(?:([A-Za-z_][\w-]*)=)?/;
const OLD_OUTPUT = /::set-output\s+name=([A-Za-z_][\w-]*)::/;

const writeOf = ({ text, offset }: ScriptLine): RunnerWrite | undefined => {
  const target = TARGET.exec(text);
  const old = OLD_OUTPUT.exec(text);
  if (old) {
    const from = old.index + old[0].length;
    return { file: 'GITHUB_OUTPUT', name: old[1], value: text.slice(from), offset, valueOffset: offset + from };
  }
  if (!target) return undefined;
  const said = SAYS.exec(text);
  const from = said?.[0].length ?? 0;
  return { file: target[1] as RunnerWrite['file'], name: said?.[1], value: text.slice(from, target.index), offset, valueOffset: offset + from };
};

/** The writes to the runner's files that stand on one line each; groups of lines are not followed. */
export const runnerWrites = (lines: readonly ScriptLine[]): readonly RunnerWrite[] =>
  lines.flatMap(line => {
    const write = line.region === 'code' ? writeOf(line) : undefined;
    return write === undefined ? [] : [write];
  });
