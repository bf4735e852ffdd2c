/**
 * `${{ … }}` expressions: where they stand in a text, and their syntax tree.
 * The grammar is the vendor's own parser (@actions/expressions); it limits length and depth itself.
 */
import { type Expr, IndexAccess, Binary, ContextAccess, FunctionCall, Grouping, Literal, Logical, Star, Unary } from '@actions/expressions/ast';
import { Lexer } from '@actions/expressions/lexer';
import { Parser } from '@actions/expressions/parser';

export interface ExpressionPlace {
  /** Offset of `${{` and the offset after `}}`. */
  readonly start: number;
  readonly end: number;
  /** What stands between the braces, trimmed. */
  readonly body: string;
}

/** A look-up such as `github.event.issue.title`; `*` is the filter operator, `#` an index that picks one element. */
export type Path = readonly string[];

const CONTEXTS = ['github', 'env', 'vars', 'job', 'jobs', 'steps', 'runner', 'secrets', 'strategy', 'matrix', 'needs', 'inputs'];
const FUNCTIONS = ['always', 'success', 'failure', 'cancelled', 'hashFiles'].map(name => ({ name, minArgs: 0, maxArgs: 255 }));
const MAX_EXPRESSIONS = 2_000;

/** Index of the `}}` that closes an expression; single-quoted strings may hold braces. */
const closing = (text: string, from: number): number => {
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") quoted = !quoted;
    else if (!quoted && text[at] === '}' && text[at + 1] === '}') return at;
  }
  return -1;
};

/** The expressions of a text in order; an unclosed one ends the list. */
export const expressionsIn = (text: string): readonly ExpressionPlace[] => {
  const found: ExpressionPlace[] = [];
  let start = text.indexOf('${{');
  while (start >= 0 && found.length < MAX_EXPRESSIONS) {
    const end = closing(text, start + 3);
    if (end < 0) break;
    found.push({ start, end: end + 2, body: text.slice(start + 3, end).trim() });
    start = text.indexOf('${{', end + 2);
  }
  return found;
};

/** The syntax tree of an expression's body; undefined when the CI system would refuse it too. */
export const parseExpression = (body: string): Expr | undefined => {
  if (body === '') return undefined;
  try {
    return new Parser(new Lexer(body).lex().tokens, CONTEXTS, FUNCTIONS).parse();
  } catch (error) {
    // Both classes of the library's errors mean the same here: the text is not an expression.
    if (error instanceof Error) return undefined;
    throw error;
  }
};

const segmentOf = (index: Expr): string => {
  if (index instanceof Star) return '*';
  if (!(index instanceof Literal)) return '#';
  const text = index.literal.coerceString();
  return /^\d+$/.test(text) ? '#' : text.toLowerCase();
};

/** The path of a look-up, lower-cased as look-ups ignore case; undefined for any other expression. */
export const pathOfExpression = (expression: Expr): Path | undefined => {
  if (expression instanceof Grouping) return pathOfExpression(expression.group);
  if (expression instanceof ContextAccess) return [expression.name.lexeme.toLowerCase()];
  if (!(expression instanceof IndexAccess)) return undefined;
  const base = pathOfExpression(expression.expr);
  return base && [...base, segmentOf(expression.index)];
};

export { Binary, type Expr, FunctionCall, Grouping, IndexAccess, Literal, Logical, Unary };
