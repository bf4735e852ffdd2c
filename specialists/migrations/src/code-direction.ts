/**
 * Tells which lines of a migration in code go forth. Methods for the way back, comments and what the author has
 * marked as checked (`safety_assured`) are not judged.
 */
import type { MigrationKind } from './migration-path.ts';

type CodeKind = Exclude<MigrationKind, 'sql'>;

const UP: Readonly<Record<CodeKind, RegExp>> = {
  python: /^\s*(?:async )?def (?:upgrade|forwards?|apply)\w*\s*\(/,
  ruby: /^\s*def (?:self\.)?(?:up|change)\b|\bdir\.up\b/,
  script: /(?:^|[\s.,{])(?:async\s+)?up\s*(?:[(=:]|$)/,
  php: /\bfunction up\s*\(/,
};
const DOWN: Readonly<Record<CodeKind, RegExp>> = {
  python: /^\s*(?:async )?def (?:downgrade|backwards?|reverse|rollback|unapply)\w*\s*\(/,
  ruby: /^\s*def (?:self\.)?down\b|\bdir\.down\b/,
  script: /(?:^|[\s.,{])(?:async\s+)?down\s*(?:[(=:]|$)/,
  php: /\bfunction down\s*\(/,
};
const COMMENT = /^\s*(?:#|\/\/|\*|\/\*)/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

export type Direction = 'up' | 'down' | 'unknown';

/** Direction of each line. `start` holds until the first method is seen. */
export function directions(lines: readonly string[], kind: CodeKind, start: Direction): readonly Direction[] {
  let current = start;
  let assuredIndent: number | null = null;
  return lines.map(line => {
    if (UP[kind].test(line)) current = 'up';
    else if (DOWN[kind].test(line)) current = 'down';
    if (assuredIndent !== null) {
      if (/^\s*(?:end\b|\})/.test(line) && indentOf(line) <= assuredIndent) assuredIndent = null;
      return 'down';
    }
    if (/\bsafety_assured\b/.test(line)) {
      if (/(?:\bdo|\{)\s*$/.test(line)) assuredIndent = indentOf(line);
      return 'down';
    }
    return COMMENT.test(line) ? 'down' : current;
  });
}
