/**
 * Statements of a TOML file with their lines, as far as single lines show them. A TOML parser has no lines and refuses a
 * fragment. Text inside multi-line strings can be mistaken for a statement, so a whole file is judged by the parser.
 */
import { parse, TomlError, type TomlTable } from 'smol-toml';
import type { NumberedLine } from '../piece.ts';

export interface TomlStatement {
  /** Table header above, dots between its keys; null where a fragment does not show it. */
  readonly header: string | null;
  /** Key of the statement, or of the list that the item belongs to; null where a fragment does not show it. */
  readonly key: string | null;
  readonly value: unknown;
  readonly line: number;
}

/** Longest line that is parsed alone; a statement of a manifest is far shorter. */
const MAX_STATEMENT_CHARS = 4_000;

/** A TOML text as a table; null when it is not valid TOML or nests too deep. */
export const parseToml = (text: string): TomlTable | null => {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError || error instanceof RangeError) return null;
    throw error;
  }
};

const HEADER = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/;
const LIST_OPENS = /^\s*([\w.-]+|"[^"]*")\s*=\s*\[\s*(?:#.*)?$/;
const ITEM = /^\s*("(?:[^"\\]|\\.)*"|'[^']*')\s*,?\s*(?:#.*)?$/;

const unquoted = (text: string): string => text.replace(/["'\s]/g, '');

/** `key = value` on one line; several where the line is an inline form that sets more than one. */
const assignments = (header: string | null, { line, text }: NumberedLine): TomlStatement[] => {
  const table = text.includes('=') ? parseToml(text) : null;
  return table === null ? [] : Object.keys(table).map(key => ({ header, key, value: table[key], line }));
};

export function* tomlStatements(lines: readonly NumberedLine[], whole: boolean): Generator<TomlStatement> {
  let header: string | null = whole ? '' : null;
  let list: string | null = null;
  for (const shown of lines.filter(({ text }) => text.length <= MAX_STATEMENT_CHARS)) {
    const item = ITEM.exec(shown.text)?.[1];
    const opened = LIST_OPENS.exec(shown.text)?.[1];
    const title = HEADER.exec(shown.text)?.[1];
    if (item !== undefined) yield { header, key: list, value: [item.slice(1, -1)], line: shown.line };
    else if (opened !== undefined) list = unquoted(opened);
    else if (title !== undefined) {
      header = unquoted(title);
      list = null;
    } else yield* assignments(header, shown);
  }
}
