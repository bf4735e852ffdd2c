/**
 * The tree that the tolerant reader builds. Each node knows where it stands and how it ended,
 * so that what was cut can be told from what was closed.
 */

/** `closed`: by its own bracket or quote. `mismatch`: by a bracket of its parent. `eof`: the text ended inside. */
export type Ending = 'closed' | 'mismatch' | 'eof';

interface Placed {
  /** Index of the first character, and the one after the last. */
  readonly start: number;
  readonly end: number;
}

export interface Entry {
  /** Empty for a value that stands without a key. */
  readonly key: string;
  /** The key in lower case and without `_`, `-` and spaces. */
  readonly plain: string;
  readonly quoted: boolean;
  readonly value: JsonNode;
}

export interface ObjectNode extends Placed {
  readonly kind: 'object';
  readonly entries: readonly Entry[];
  readonly ending: Ending;
  /** True when words stand where a key has to be: rather a sentence in braces than JSON. */
  readonly prose: boolean;
}

export interface ArrayNode extends Placed {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
  readonly ending: Ending;
}

export interface TextNode extends Placed {
  readonly kind: 'text';
  readonly text: string;
}

export interface LiteralNode extends Placed {
  readonly kind: 'literal';
  readonly value: number | boolean | null;
}

export type JsonNode = ObjectNode | ArrayNode | TextNode | LiteralNode;

/** Something that was read by guessing, and where. */
export interface Doubt {
  readonly at: number;
  /** A phrase that completes "in the answer …". */
  readonly what: string;
}
