/**
 * Splits SQL text into tokens, in one pass and in time linear in the text; never fails on what it does not know.
 * Dialect-tolerant: quotes of PostgreSQL, MySQL, SQLite and SQL Server, dollar quotes, nested comments, templates as symbols.
 */
export interface SqlToken {
  /** `word` is a bare name or keyword, `name` a quoted one; `text` of quoted kinds is without its quotes. */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol';
  readonly text: string;
  /** The character that opens a quoted token; empty for the others. */
  readonly quote: string;
  /** Text of a word in upper case; empty for other kinds, so that a quoted name is never taken for a keyword. */
  readonly word: string;
  /** 1-based lines of its first and last character. */
  readonly line: number;
  readonly endLine: number;
  /** How many parentheses are open around it. */
  readonly depth: number;
}

export interface SqlComment {
  readonly line: number;
  /** Without the comment signs, trimmed. */
  readonly text: string;
}

export interface SqlTokens {
  readonly tokens: readonly SqlToken[];
  readonly comments: readonly SqlComment[];
}

const SPACE = /[\s\ufeff]+/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_]\w{0,62})?\$/y;
const LINE_COMMENT = /--[^\n]*|#[^\n]*/y;
const CLOSING_QUOTE: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' };

class Scanner {
  private readonly text: string;
  private readonly backslashEscapes: boolean;
  private readonly tokens: SqlToken[] = [];
  private readonly comments: SqlComment[] = [];
  private at = 0;
  private line = 1;
  private depth = 0;

  constructor(text: string, backslashEscapes: boolean) {
    this.text = text;
    this.backslashEscapes = backslashEscapes;
  }

  run(): SqlTokens {
    while (this.at < this.text.length) this.step();
    return { tokens: this.tokens, comments: this.comments };
  }

  private step(): void {
    const character = this.text[this.at] ?? '';
    if (this.take(SPACE) !== null || this.comment(character) || this.quoted(character)) return;
    const word = this.take(WORD);
    if (word !== null) return this.push('word', word);
    const number = this.take(NUMBER);
    if (number !== null) return this.push('number', number);
    this.symbol(character);
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    return found === undefined ? null : this.advance(this.at + found.length);
  }

  /** Moves on to `to` and counts lines; answers the text in between. */
  private advance(to: number): string {
    const passed = this.text.slice(this.at, to);
    for (let feed = passed.indexOf('\n'); feed >= 0; feed = passed.indexOf('\n', feed + 1)) this.line += 1;
    this.at = Math.min(to, this.text.length);
    return passed;
  }

  private push(kind: SqlToken['kind'], text: string, line = this.line, quote = ''): void {
    this.tokens.push({ kind, text, quote, word: kind === 'word' ? text.toUpperCase() : '', line, endLine: this.line, depth: this.depth });
  }

  private startsLine(): boolean {
    return this.tokens.at(-1)?.endLine !== this.line;
  }

  private comment(character: string): boolean {
    const line = this.line;
    if (character === '/' && this.text[this.at + 1] === '*') {
      const text = this.advance(this.endOfBlockComment());
      this.comments.push({ line, text: text.replace(/^\/\*+|\*+\/$/g, '').trim() });
      return true;
    }
    // A hash begins a comment in MySQL and is an operator in PostgreSQL; a backslash begins a command of psql.
    const begins = (character === '-' && this.text[this.at + 1] === '-') || ((character === '#' || character === '\\') && this.startsLine());
    if (!begins) return false;
    const text = character === '\\' ? this.advance(this.endOfLine()) : (this.take(LINE_COMMENT) ?? '');
    if (character !== '\\') this.comments.push({ line, text: text.replace(/^(?:-{2,}|#+)/, '').trim() });
    return true;
  }

  private endOfLine(): number {
    const end = this.text.indexOf('\n', this.at);
    return end < 0 ? this.text.length : end;
  }

  /** Comments nest in PostgreSQL. */
  private endOfBlockComment(): number {
    const edge = /\/\*|\*\//g;
    edge.lastIndex = this.at + 2;
    for (let open = 1; open > 0; ) {
      const found = edge.exec(this.text);
      if (found === null) return this.text.length;
      open += found[0] === '/*' ? 1 : -1;
    }
    return edge.lastIndex;
  }

  private quoted(character: string): boolean {
    if (character === '$') return this.dollarQuoted();
    const close = CLOSING_QUOTE[character];
    // `[` also opens an array subscript, so it quotes only a plain name.
    if (close === undefined || (character === '[' && !/^\[[A-Za-z_][\w ]{0,127}\]/.test(this.text.slice(this.at, this.at + 130)))) return false;
    const line = this.line;
    const escapes = character === "'" && (this.backslashEscapes || this.takesEscapePrefix());
    const end = this.endOfQuoted(close, escapes);
    const text = this.advance(end).slice(1);
    if (this.text[this.at] === close) this.at += 1;
    this.push(character === "'" ? 'string' : 'name', text, line, character);
    return true;
  }

  /** Removes the `E` of an escape string, which was read as a word. */
  private takesEscapePrefix(): boolean {
    if (this.tokens.at(-1)?.word !== 'E' || !/[eE]/.test(this.text[this.at - 1] ?? '')) return false;
    this.tokens.pop();
    return true;
  }

  private endOfQuoted(close: string, escapes: boolean): number {
    for (let at = this.at + 1; at < this.text.length; at += 1) {
      if (this.text[at] === '\\' && escapes) at += 1;
      else if (this.text[at] === close) {
        if (this.text[at + 1] !== close || close === ']') return at;
        at += 1;
      }
    }
    return this.text.length;
  }

  private dollarQuoted(): boolean {
    DOLLAR_TAG.lastIndex = this.at;
    const tag = DOLLAR_TAG.exec(this.text)?.[0];
    if (tag === undefined) return false;
    const line = this.line;
    const end = this.text.indexOf(tag, this.at + tag.length);
    // An end that is missing closes the last statement: its body is unknown, not the statements of a script.
    this.advance(end < 0 ? this.text.length : end + tag.length);
    this.push('string', '', line, '$');
    return true;
  }

  private symbol(character: string): void {
    if (character === ')' && this.depth > 0) this.depth -= 1;
    this.push('symbol', character);
    if (character === '(') this.depth += 1;
    if (character === ';') this.depth = 0;
    this.at += 1;
    if (character === ';' && this.tokens.at(-2)?.word === 'STDIN') this.skipCopyData();
  }

  /** Rows of `COPY … FROM stdin;` up to the line `\.`, as pg_dump writes them. */
  private skipCopyData(): void {
    const end = this.text.indexOf('\n\\.', this.at);
    this.advance(end < 0 ? this.text.length : end);
  }
}

/** Tokens and comments of a text. `backslashEscapes`: as in MySQL, `\'` does not end a string. */
export const tokenizeSql = (text: string, backslashEscapes: boolean): SqlTokens => new Scanner(text, backslashEscapes).run();
