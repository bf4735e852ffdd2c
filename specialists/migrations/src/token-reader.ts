/** Walks along the tokens of one statement. A keyword is only ever a bare word, never a quoted name. */
import type { SqlToken } from './sql-token.ts';

/** Longest part of a name that a message repeats; names are text of the change, not ours. */
const MAX_NAME_CHARS = 60;

/** A table name for comparison: last part of a qualified name, lower case. */
export const tableKey = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** A name for a message: one line, bounded. */
export const shownName = (name: string): string => `\`${name.replace(/[\s`]+/g, ' ').slice(0, MAX_NAME_CHARS)}\``;

export class TokenReader {
  readonly tokens: readonly SqlToken[];
  at: number;

  constructor(tokens: readonly SqlToken[], at = 0) {
    this.tokens = tokens;
    this.at = at;
  }

  get current(): SqlToken | undefined {
    return this.tokens[this.at];
  }

  /** Steps over the words if they all come next. */
  accept(...words: readonly string[]): boolean {
    if (!words.every((word, index) => this.tokens[this.at + index]?.word === word)) return false;
    this.at += words.length;
    return true;
  }

  /** Steps over the first of the alternatives that comes next; each is one or more words. */
  acceptOne(...alternatives: readonly string[]): boolean {
    return alternatives.some(words => this.accept(...words.split(' ')));
  }

  /** Reads a possibly qualified name, parts joined with dots; null when something else comes. */
  name(): string | null {
    const parts: string[] = [];
    for (;;) {
      const token = this.current;
      if (token === undefined || (token.kind !== 'word' && token.kind !== 'name')) break;
      parts.push(token.text);
      this.at += 1;
      if (this.current?.text !== '.' || this.current.kind !== 'symbol') break;
      this.at += 1;
    }
    return parts.length === 0 ? null : parts.join('.');
  }

  rest(): readonly SqlToken[] {
    return this.tokens.slice(this.at);
  }
}

/** Whether the words stand next to each other somewhere; `depth` restricts to that many open parentheses. */
export function hasWords(tokens: readonly SqlToken[], words: string, depth?: number): boolean {
  const wanted = words.split(' ');
  return tokens.some((token, at) => (depth === undefined || token.depth === depth) && wanted.every((word, index) => tokens[at + index]?.word === word));
}

/** Splits at commas outside of the parentheses that open within the tokens. */
export function splitAtCommas(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const outer = tokens[0]?.depth ?? 0;
  const parts: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'symbol' && token.text === ',' && token.depth === outer) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter(part => part.length > 0);
}
