/**
 * Blanks comments and the insides of strings, so that patterns meet code only.
 * One pass, time linear in the text; line breaks and columns stay where they are.
 */
import type { Language } from './source-language.ts';

/** Stands for each character inside a string, a template or a regular expression. */
export const STRING_FILL = '\u0001';
/** A regular expression literal longer than this is read as a division; keeps the look-ahead bounded. */
const MAX_REGEX_CHARS = 300;
/** Each search for the end of a heredoc may read the whole text, so only so many may fail. */
const MAX_FAILED_HEREDOCS = 20;

type Construct =
  | { readonly kind: 'line' }
  | { readonly kind: 'block'; readonly close: string }
  | { readonly kind: 'string'; readonly close: string; readonly multiline: boolean; readonly escapes: boolean }
  | { readonly kind: 'template' | 'open' | 'close' | 'regex' | 'heredoc' | 'char' };

interface Lexis {
  /** Finds the next place where something other than plain code may begin. */
  readonly openers: RegExp;
  readonly constructs: Readonly<Record<string, Construct>>;
}

const LINE: Construct = { kind: 'line' };
const BLOCK: Construct = { kind: 'block', close: '*/' };
const short = (close: string): Construct => ({ kind: 'string', close, multiline: false, escapes: true });
const long = (close: string): Construct => ({ kind: 'string', close, multiline: true, escapes: true });
const QUOTES = { '"': short('"'), "'": short("'") };
const SLASHES = { '//': LINE, '/*': BLOCK };
const TRIPLE = { '"""': long('"""'), "'''": long("'''") };

const JAVA: Lexis = { openers: /\/\/|\/\*|"""|["']/g, constructs: { ...SLASHES, '"""': long('"""'), ...QUOTES } };

// A short string ends with its line at the latest: an apostrophe in JSX text or an interpolation that is not understood costs one line, not the file.
const LEXES: Readonly<Record<Language, Lexis>> = {
  js: {
    openers: /\/\/|\/\*|["'`{}/]/g,
    constructs: { ...SLASHES, ...QUOTES, '`': { kind: 'template' }, '{': { kind: 'open' }, '}': { kind: 'close' }, '/': { kind: 'regex' } },
  },
  python: { openers: /#|"""|'''|["']/g, constructs: { '#': LINE, ...TRIPLE, ...QUOTES } },
  ruby: {
    openers: /#|["'`/]|^=begin\b|^__END__$|<<[~-]?["']?[A-Z_]+/gm,
    constructs: {
      '#': LINE,
      ...QUOTES,
      '`': short('`'),
      '/': { kind: 'regex' },
      '=begin': { kind: 'block', close: '\n=end' },
      __END__: { kind: 'block', close: '\0' },
    },
  },
  go: { openers: /\/\/|\/\*|["'`]/g, constructs: { ...SLASHES, ...QUOTES, '`': { kind: 'string', close: '`', multiline: true, escapes: false } } },
  rust: { openers: /\/\/|\/\*|["']/g, constructs: { ...SLASHES, '"': long('"'), "'": { kind: 'char' } } },
  php: { openers: /\/\/|\/\*|#(?!\[)|["']/g, constructs: { ...SLASHES, '#': LINE, ...QUOTES } },
  java: JAVA,
  csharp: JAVA,
  elixir: { openers: /#|"""|'''|["']/g, constructs: { '#': LINE, ...TRIPLE, ...QUOTES } },
};

const blank = (text: string, fill: string): string => text.replace(/[^\r\n]/g, fill);

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Index of the closing delimiter, or of the end of the line or text that ends the string without one. */
function endOfString(text: string, from: number, string: Construct & { kind: 'string' }): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n' && !string.multiline) return at;
    if (character === '\\' && string.escapes) at += text[at + 1] === '\n' && !string.multiline ? 0 : 1;
    else if (text.startsWith(string.close, at)) return at;
  }
  return text.length;
}

const REGEX_AFTER_WORD = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'else',
  'do',
  'await',
  'yield',
  'if',
  'unless',
  'when',
  'and',
  'or',
  'not',
]);

/** Whether a slash at `at` can begin a regular expression: nothing that could be divided stands before it. */
function beginsRegex(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === ' ' || text[before] === '\t')) before -= 1;
  const character = text[before] ?? '\n';
  if ('(,=:[!&|?{};+*%~^>\n\r-'.includes(character)) return true;
  const word = /[A-Za-z]{1,10}$/.exec(text.slice(Math.max(0, before - 9), before + 1))?.[0];
  return word !== undefined && REGEX_AFTER_WORD.has(word);
}

/** Index of the slash that closes a regular expression on the same line, or -1. */
function endOfRegex(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_REGEX_CHARS);
  let inClass = false;
  for (let at = from; at < limit; at += 1) {
    const character = text[at];
    if (character === '\n') return -1;
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return at;
  }
  return -1;
}

class Masker {
  private readonly text: string;
  private readonly lexis: Lexis;
  private readonly out: string[] = [];
  private at = 0;
  /** Open braces of each `${` that is still open, innermost last. */
  private readonly braces: number[] = [];
  private failedHeredocs = 0;

  constructor(text: string, lexis: Lexis) {
    this.text = text;
    this.lexis = lexis;
  }

  run(startsInComment: boolean): string {
    if (startsInComment) this.comment(0, '*/');
    const openers = new RegExp(this.lexis.openers);
    for (;;) {
      openers.lastIndex = this.at;
      const found = openers.exec(this.text);
      if (found === null) break;
      this.copy(found.index);
      this.enter(found[0], this.lexis.constructs[found[0]] ?? { kind: 'heredoc' });
    }
    this.copy(this.text.length);
    return this.out.join('');
  }

  private copy(to: number): void {
    if (to <= this.at) return;
    this.out.push(this.text.slice(this.at, to));
    this.at = to;
  }

  private fill(to: number, fill: string): void {
    const end = Math.min(to, this.text.length);
    if (end <= this.at) return;
    this.out.push(blank(this.text.slice(this.at, end), fill));
    this.at = end;
  }

  private comment(openLength: number, close: string): void {
    const end = this.text.indexOf(close, this.at + openLength);
    this.fill(end < 0 ? this.text.length : end + close.length, ' ');
  }

  private enter(opener: string, construct: Construct): void {
    switch (construct.kind) {
      case 'line':
        return this.fill(endOfLine(this.text, this.at), ' ');
      case 'block':
        return this.comment(opener.length, construct.close);
      case 'string':
        return this.string(opener, construct);
      case 'template':
        this.copy(this.at + 1);
        return this.template();
      case 'open':
      case 'close':
        return this.brace(construct.kind);
      case 'regex':
        return this.regex();
      case 'heredoc':
        return this.heredoc(opener);
      case 'char':
        return this.char();
    }
  }

  private string(opener: string, construct: Construct & { kind: 'string' }): void {
    this.copy(this.at + opener.length);
    const end = endOfString(this.text, this.at, construct);
    this.fill(end, STRING_FILL);
    if (this.text.startsWith(construct.close, end)) this.copy(end + construct.close.length);
  }

  /** Text of a template up to its end or its next `${`. */
  private template(): void {
    for (let at = this.at; at < this.text.length; at += 1) {
      const character = this.text[at];
      if (character === '\\') at += 1;
      else if (character === '`') {
        this.fill(at, STRING_FILL);
        return this.copy(at + 1);
      } else if (character === '$' && this.text[at + 1] === '{') {
        this.fill(at, STRING_FILL);
        this.braces.push(0);
        return this.copy(at + 2);
      }
    }
    this.fill(this.text.length, STRING_FILL);
  }

  private brace(kind: 'open' | 'close'): void {
    this.copy(this.at + 1);
    const depth = this.braces.pop();
    if (depth === undefined) return;
    if (kind === 'close' && depth === 0) return this.template();
    this.braces.push(kind === 'open' ? depth + 1 : depth - 1);
  }

  private regex(): void {
    const end = beginsRegex(this.text, this.at) ? endOfRegex(this.text, this.at + 1) : -1;
    this.copy(this.at + 1);
    if (end < 0) return;
    this.fill(end, STRING_FILL);
    this.copy(end + 1);
  }

  /** Ruby: the text from the next line to the line that holds the word alone. Without such a line it is an append to a constant. */
  private heredoc(opener: string): void {
    this.copy(this.at + opener.length);
    if (this.failedHeredocs >= MAX_FAILED_HEREDOCS) return;
    const word = /[A-Z_]+$/.exec(opener)?.[0] ?? opener;
    const end = new RegExp(`^[ \\t]*${word}[ \\t\\r]*$`, 'gm');
    end.lastIndex = endOfLine(this.text, this.at) + 1;
    const found = end.exec(this.text);
    if (found === null) this.failedHeredocs += 1;
    else {
      this.copy(endOfLine(this.text, this.at));
      this.fill(found.index, STRING_FILL);
    }
  }

  /** Rust: `'a'` is a character, `'a` a lifetime. */
  private char(): void {
    const character = /^'(?:\\[^\n]|[^'\\\n])'/.exec(this.text.slice(this.at, this.at + 5))?.[0];
    if (character === undefined) return this.copy(this.at + 1);
    this.fill(this.at + character.length, STRING_FILL);
  }
}

/**
 * The text with comments blanked to spaces and the insides of strings to {@link STRING_FILL}; same length, same line breaks.
 * `startsInComment` says that the text begins inside a block comment, as a hunk may.
 */
export const maskCode = (text: string, language: Language, startsInComment = false): string => new Masker(text, LEXES[language]).run(startsInComment);
