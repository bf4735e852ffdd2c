/**
 * Reads JSON line by line and tells each property with the line that it stands on.
 * A strict parser has no lines and refuses a fragment; a hunk of package.json is a fragment. No recursion, linear time.
 */
import type { NumberedLine } from './piece.ts';

export interface JsonProperty {
  /** Keys of the enclosing objects and arrays, outermost first; relative to the fragment where the piece is not whole. */
  readonly path: readonly string[];
  /** The property's key; '' for an item of an array. */
  readonly key: string;
  /** Decoded text of a string, or the literal as written; '' for an object or array that opens here. */
  readonly value: string;
  readonly kind: 'string' | 'literal' | 'open';
  readonly line: number;
}

type Token = { readonly type: 'string' | 'literal' | 'mark'; readonly text: string };

/** Deeper levels are still counted but get no path of their own; no manifest or lockfile nests this far. */
const MAX_JSON_DEPTH = 200;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

const decode = (raw: string): string =>
  raw.includes('\\')
    ? raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, one: string) =>
        hex === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : raw;

/** Index of the closing quote of the string that starts at `from`; -1 when the line ends first. */
const closingQuote = (text: string, from: number): number => {
  let end = text.indexOf('"', from);
  let escape = text.indexOf('\\', from);
  while (escape >= 0 && escape < end) {
    // What follows a backslash is part of the string, a quote too.
    if (escape + 1 === end) end = text.indexOf('"', end + 1);
    escape = text.indexOf('\\', escape + 2);
  }
  return end;
};

const LITERAL_END = new Set([...' \t\r"{}[]:,']);

const literalEnd = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && !LITERAL_END.has(text[at] as string)) at++;
  return at;
};

/** Tokens of one line. An open quote or a comment ends the line. */
const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') {
      const end = closingQuote(text, at + 1);
      if (end < 0) break;
      tokens.push({ type: 'string', text: decode(text.slice(at + 1, end)) });
      at = end;
    } else if ('{}[]:,'.includes(char)) tokens.push({ type: 'mark', text: char });
    else if (text.startsWith('//', at)) break;
    else if (!LITERAL_END.has(char)) {
      const end = literalEnd(text, at);
      tokens.push({ type: 'literal', text: text.slice(at, end) });
      at = end - 1;
    }
  }
  return tokens;
};

/** One reading in progress: where it stands, and the key that still waits for its value. */
class Walk {
  private path: readonly string[] = [];
  private deeper = 0;
  private key: string | null = null;
  private candidate: Token | null = null;

  /** Takes one token; answers the property that it completes, if any. */
  take(token: Token, line: number): JsonProperty | null {
    if (token.type !== 'mark') return this.scalar(token, line);
    switch (token.text) {
      case ':':
        this.key = this.candidate?.text ?? null;
        this.candidate = null;
        return null;
      case ',':
        return this.item(line);
      case '{':
      case '[':
        return this.open(line);
      default:
        return this.close(line);
    }
  }

  private property(kind: JsonProperty['kind'], key: string, value: string, line: number): JsonProperty {
    return { path: this.path, key, value, kind, line };
  }

  private scalar(token: Token, line: number): JsonProperty | null {
    if (this.key === null) {
      this.candidate = token;
      return null;
    }
    const found = this.property(token.type === 'string' ? 'string' : 'literal', this.key, token.text, line);
    this.key = null;
    return found;
  }

  /** A value that no colon followed is an item of an array. */
  private item(line: number): JsonProperty | null {
    const token = this.candidate;
    this.candidate = null;
    if (token === null) return null;
    return this.property(token.type === 'string' ? 'string' : 'literal', '', token.text, line);
  }

  private open(line: number): JsonProperty | null {
    const key = this.key;
    this.key = null;
    this.candidate = null;
    // The braces around the whole document have no key and are no level.
    if (key === null && this.path.length === 0 && this.deeper === 0) return null;
    const found = this.property('open', key ?? '', '', line);
    if (this.path.length >= MAX_JSON_DEPTH) this.deeper++;
    else this.path = [...this.path, key ?? ''];
    return found;
  }

  private close(line: number): JsonProperty | null {
    const found = this.item(line);
    this.key = null;
    if (this.deeper > 0) this.deeper--;
    else this.path = this.path.slice(0, -1);
    return found;
  }
}

/** Properties in the order of the text. Comments (`//`) and trailing commas are passed over; a malformed line yields what it can. */
export function* walkJson(lines: readonly NumberedLine[]): Generator<JsonProperty> {
  const walk = new Walk();
  for (const { line, text } of lines) {
    for (const token of tokensOf(text)) {
      const found = walk.take(token, line);
      if (found !== null) yield found;
    }
  }
}
