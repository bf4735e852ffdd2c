/**
 * Reads a GraphQL document as far as persisted documents need it: operations, variables, arguments, aliases,
 * inline fragments and named fragments. Directives and subscriptions are refused.
 */

export type GraphqlValue =
  | string
  | number
  | boolean
  | null
  | readonly GraphqlValue[]
  | { readonly [name: string]: GraphqlValue }
  | { readonly variable: string };

export interface Selection {
  readonly kind: 'field' | 'fragment' | 'spread';
  /** Field name, type condition, or fragment name. */
  readonly name: string;
  readonly alias: string;
  readonly values: Readonly<Record<string, GraphqlValue>>;
  readonly selections: readonly Selection[];
}

export interface GraphqlDocument {
  readonly operations: readonly {
    readonly kind: 'query' | 'mutation';
    readonly name: string | null;
    readonly required: readonly string[];
    readonly selections: readonly Selection[];
  }[];
  readonly fragments: ReadonlyMap<string, readonly Selection[]>;
}

const TOKEN = /\s+|,|#[^\n]*|(\.\.\.|[{}()[\]:=!$@|&]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)/y;
const DEPTH_LIMIT = 32;

/** Throws a SyntaxError that names what it can't read. */
export function readGraphql(source: string): GraphqlDocument {
  return new Reader(tokens(source)).document();
}

function tokens(source: string): string[] {
  const found: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (match === null) throw new SyntaxError(`Expected one of SCHEMA, SCALAR, TYPE, ENUM, got ${JSON.stringify(source.slice(at, at + 10))}`);
    if (match[1] !== undefined) found.push(match[1]);
  }
  return found;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  document(): GraphqlDocument {
    const operations: GraphqlDocument['operations'][number][] = [];
    const fragments = new Map<string, readonly Selection[]>();
    while (this.#at < this.#tokens.length) {
      const word = this.#peek();
      if (word === 'fragment') {
        this.#next();
        const name = this.#next();
        this.#expect('on');
        this.#next();
        fragments.set(name, this.#selections(0));
      } else operations.push(this.#operation(word));
    }
    return { operations, fragments };
  }

  #operation(word: string): GraphqlDocument['operations'][number] {
    if (word === '{') return { kind: 'query', name: null, required: [], selections: this.#selections(0) };
    if (word !== 'query' && word !== 'mutation') throw new SyntaxError(`Parse error on ${JSON.stringify(word)}`);
    this.#next();
    const name = /^[A-Za-z_]/.test(this.#peek()) ? this.#next() : null;
    const required = this.#peek() === '(' ? this.#variables() : [];
    return { kind: word, name, required, selections: this.#selections(0) };
  }

  /** Names of the variables that must be given. */
  #variables(): readonly string[] {
    const required: string[] = [];
    this.#expect('(');
    while (this.#peek() !== ')') {
      this.#expect('$');
      const name = this.#next();
      this.#expect(':');
      let type = '';
      while (!['$', ')', '='].includes(this.#peek())) type += this.#next();
      if (this.#peek() === '=') {
        this.#next();
        this.#value(0);
      } else if (type.endsWith('!')) required.push(name);
    }
    this.#expect(')');
    return required;
  }

  #selections(depth: number): readonly Selection[] {
    if (depth > DEPTH_LIMIT) throw new SyntaxError('nested too deeply');
    const found: Selection[] = [];
    this.#expect('{');
    while (this.#peek() !== '}') found.push(this.#selection(depth));
    this.#expect('}');
    return found;
  }

  #selection(depth: number): Selection {
    if (this.#peek() === '...') {
      this.#next();
      const word = this.#next();
      if (word !== 'on') return { kind: 'spread', name: word, alias: word, values: {}, selections: [] };
      const type = this.#next();
      return { kind: 'fragment', name: type, alias: type, values: {}, selections: this.#selections(depth + 1) };
    }
    const first = this.#next();
    let name = first;
    if (this.#peek() === ':') {
      this.#next();
      name = this.#next();
    }
    const values = this.#peek() === '(' ? this.#fields('(', ')', depth) : {};
    return { kind: 'field', name, alias: first, values, selections: this.#peek() === '{' ? this.#selections(depth + 1) : [] };
  }

  #fields(open: string, close: string, depth: number): Record<string, GraphqlValue> {
    const values: Record<string, GraphqlValue> = {};
    this.#expect(open);
    while (this.#peek() !== close) {
      const name = this.#next();
      this.#expect(':');
      values[name] = this.#value(depth + 1);
    }
    this.#expect(close);
    return values;
  }

  #value(depth: number): GraphqlValue {
    if (depth > DEPTH_LIMIT) throw new SyntaxError('nested too deeply');
    const word = this.#peek();
    if (word === '{') return this.#fields('{', '}', depth);
    this.#next();
    if (word === '$') return { variable: this.#next() };
    if (word === '[') {
      const items: GraphqlValue[] = [];
      while (this.#peek() !== ']') items.push(this.#value(depth + 1));
      this.#expect(']');
      return items;
    }
    if (word.startsWith('"') || /^-?\d/.test(word) || ['true', 'false', 'null'].includes(word)) return JSON.parse(word) as GraphqlValue;
    return word;
  }

  #peek(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new SyntaxError('Unexpected end of document');
    return token;
  }

  #next(): string {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #expect(token: string): void {
    const got = this.#next();
    if (got !== token) throw new SyntaxError(`Expected ${JSON.stringify(token)}, got ${JSON.stringify(got)}`);
  }
}
