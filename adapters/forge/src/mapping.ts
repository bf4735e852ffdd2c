/**
 * Evaluates a descriptor's JMESPath expressions over vendors' answers (docs/adr/0004-mapping-language.md).
 * The answers are hostile, so every evaluation is bounded and every failure is a value, never a half-right result.
 */
import { compile, type JSONValue, TreeInterpreter, TYPE_ANY, TYPE_OBJECT, TYPE_STRING } from '@jmespath-community/jmespath';

/** An expression is parsed only up to this length and this many nodes. */
export const MAX_EXPRESSION_LENGTH = 8_192;
export const MAX_EXPRESSION_NODES = 2_048;
export const MAX_EXPRESSION_DEPTH = 64;
/** Work of one evaluation: one for each node that is visited, and the length of each list or text that a function reads. */
export const MAX_STEPS = 2_000_000;

/** Functions that read their arguments once and make nothing longer than they got. Text padding, replacing and printing are not here. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['as', 'flag', 'id', 'pick', 'word'],
  ...['contains', 'ends_with', 'from_items', 'items', 'join', 'keys', 'length', 'lower', 'map', 'merge', 'not_null', 'reverse', 'sort_by'],
  ...['split', 'starts_with', 'to_array', 'to_number', 'trim', 'type', 'upper', 'values', 'zip'],
]);

/** The expression can't be used: bad syntax, a function that is not allowed, too large. Raised when a descriptor is loaded. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** What an evaluation came to. `reason` names no data. */
export type MappingOutcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** Evaluates one expression over a root of plain JSON values; a compiled expression may be used any number of times. */
export type Mapping = (root: Readonly<Record<string, unknown>>) => MappingOutcome;

/** Compiles expressions that share named shapes. Throws ExpressionError. */
export type MappingCompiler = (expression: string) => Mapping;

type Node = ReturnType<typeof compile>;
type Visited = Parameters<typeof TreeInterpreter.visit>[1];

class MappingFailure extends Error {
  override readonly name = 'MappingFailure';
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const sizeOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);

// The package exports one instance and not its class; the class is what carries no state between evaluations.
const Interpreter = TreeInterpreter.constructor as new () => typeof TreeInterpreter;

class BoundedInterpreter extends Interpreter {
  #steps = 0;

  run(node: Node, root: JSONValue): unknown {
    this.#steps = 0;
    return this.search(node, root);
  }

  override visit(node: Node, value: Visited): Visited {
    this.#charge(1);
    if (node.type === 'Comparator' && (node.name === 'EQ' || node.name === 'NE')) return this.#equal(node, value) === (node.name === 'EQ');
    if (node.type === 'Slice') this.#charge(sizeOf(value));
    return super.visit(node, value);
  }

  /** Called by the functions of the table below with every argument list. */
  chargeArguments(args: readonly unknown[]): void {
    for (const argument of args) this.#charge(sizeOf(argument));
  }

  /** Deep comparison of two large answers costs more than steps show, so only scalars compare. */
  #equal(node: Extract<Node, { type: 'Comparator' }>, value: Visited): boolean {
    const left = this.visit(node.left, value);
    const right = this.visit(node.right, value);
    if (typeof left === 'object' && left !== null && typeof right === 'object' && right !== null) throw new MappingFailure('compares two structures');
    return left === right;
  }

  #charge(amount: number): void {
    this.#steps += amount;
    if (this.#steps > MAX_STEPS) throw new MappingFailure(`takes more than ${MAX_STEPS} steps`);
  }
}

const childrenOf = (node: object): object[] => {
  if ((node as { type?: string }).type === 'Literal') return [];
  return Object.values(node)
    .flat()
    .filter((member): member is object => typeof member === 'object' && member !== null);
};

const MEMBER_NODES: ReadonlySet<string> = new Set(['Subexpression', 'IndexExpression', 'Projection', 'FilterProjection', 'ValueProjection']);

type Refusal = (node: never, shapes: ReadonlySet<string>) => string | undefined;

const noLet: Refusal = () => 'let is not used here: name a shape instead';

const refuseFunction = ({ name, children }: { readonly name: string; readonly children: readonly Node[] }, shapes: ReadonlySet<string>): string | undefined => {
  if (!FUNCTIONS.has(name)) return `the function ${name} is not allowed`;
  const [shape] = children;
  if (name !== 'as' || (shape?.type === 'Literal' && shapes.has(String(shape.value)))) return undefined;
  return 'as() names a shape that is above it';
};

/** By type of node; others are allowed. */
const REFUSALS: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['LetExpression', noLet],
  ['Variable', noLet],
  ['Field', ({ name }: { readonly name: string }) => (name === '__proto__' ? '__proto__ is no member of an answer' : undefined)],
  ['Function', refuseFunction],
]);

const refusalOf = (node: object, shapes: ReadonlySet<string>): string | undefined => {
  const { type = '', left } = node as { readonly type?: string; readonly left?: { readonly type: string } };
  // `!a.b` means `(!a).b` in this grammar, which is never what was meant.
  if (left?.type === 'NotExpression' && MEMBER_NODES.has(type)) return 'write !(a.b): the ! takes a alone';
  return REFUSALS.get(type)?.(node as never, shapes);
};

/** Walks the tree without recursion. Throws ExpressionError with the first thing that is not allowed. */
const inspect = (tree: Node, shapes: ReadonlySet<string>): void => {
  const open: { node: object; depth: number }[] = [{ node: tree, depth: 1 }];
  for (let seen = 0; open.length > 0; seen += 1) {
    const { node, depth } = open.pop() as { node: object; depth: number };
    if (seen > MAX_EXPRESSION_NODES || depth > MAX_EXPRESSION_DEPTH) throw new ExpressionError('the expression is too large');
    const refusal = refusalOf(node, shapes);
    if (refusal !== undefined) throw new ExpressionError(refusal);
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 });
  }
};

const parse = (expression: string, shapes: ReadonlySet<string>): Node => {
  if (expression.length > MAX_EXPRESSION_LENGTH) throw new ExpressionError(`an expression has at most ${MAX_EXPRESSION_LENGTH} characters`);
  let tree: Node;
  try {
    tree = compile(expression);
  } catch (error) {
    throw new ExpressionError(error instanceof Error ? error.message : 'the expression has no meaning', { cause: error });
  }
  inspect(tree, shapes);
  return tree;
};

/** Number or text to text. Anything else is no id: printing `null` or an object would look like one. */
const idOf = (value: unknown): string => {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  throw new MappingFailure('id() got neither a text nor an integer');
};

/** The entry of a table with the name `value`; none, or a word that the table does not have, takes the third argument, and fails without one. */
const pickOf = ([value, table, otherwise]: readonly unknown[]): unknown => {
  if (typeof value === 'string' && isRecord(table) && Object.hasOwn(table, value)) return table[value];
  if ((typeof value === 'string' || value === null) && otherwise !== undefined && otherwise !== null) return otherwise;
  throw new MappingFailure('pick() got a word that its table does not have');
};

/** A truth value; missing is false. Without it every object and text that stands where a truth value should be is true. */
const flagOf = (value: unknown): boolean => {
  if (value === null || typeof value === 'boolean') return value ?? false;
  throw new MappingFailure('flag() got neither a truth value nor null');
};

/** A text, or null where there is none. */
const wordOf = (value: unknown): string | null => {
  if (value === null || typeof value === 'string') return value;
  throw new MappingFailure('word() got neither a text nor null');
};

const ANY = { types: [TYPE_ANY] };

const register = (interpreter: BoundedInterpreter, trees: ReadonlyMap<string, Node>): void => {
  const { runtime } = interpreter;
  const shape = ([name, value]: readonly unknown[]): JSONValue => {
    const tree = trees.get(String(name));
    if (tree === undefined) throw new MappingFailure('as() names no shape');
    return value === null ? null : (interpreter.visit(tree, value as Visited) as JSONValue);
  };
  runtime.register('as', shape, [{ types: [TYPE_STRING] }, ANY]);
  runtime.register('flag', ([value]) => flagOf(value), [ANY]);
  runtime.register('id', ([value]) => idOf(value), [ANY]);
  runtime.register('word', ([value]) => wordOf(value), [ANY]);
  runtime.register('pick', args => pickOf(args) as JSONValue, [ANY, { types: [TYPE_OBJECT] }, { types: [TYPE_ANY], optional: true }]);
  const callFunction = runtime.callFunction.bind(runtime);
  runtime.callFunction = (name, args) => {
    interpreter.chargeArguments(args);
    return callFunction(name, args);
  };
};

/**
 * A compiler of expressions over these named shapes, each of which may use those before it. An evaluation that fails, or
 * takes too long, gives `ok: false`; a member that is missing gives null, which the canonical schemas then refuse.
 * Throws ExpressionError for a shape that can't be used.
 */
export const createMappingCompiler = (shapes: Readonly<Record<string, string>> = {}): MappingCompiler => {
  const trees = new Map<string, Node>();
  const names = new Set<string>();
  for (const [name, expression] of Object.entries(shapes)) {
    trees.set(name, parse(expression, names));
    names.add(name);
  }
  const interpreter = new BoundedInterpreter();
  register(interpreter, trees);
  return expression => {
    const tree = parse(expression, names);
    return root => {
      try {
        return { ok: true, value: interpreter.run(tree, root as JSONValue) };
      } catch (error) {
        // The package throws plain errors for wrong types; a RangeError is a stack that hostile nesting has used up.
        return { ok: false, reason: error instanceof Error ? error.message : 'the expression failed' };
      }
    };
  };
};
