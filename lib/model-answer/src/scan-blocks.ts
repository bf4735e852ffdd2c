/**
 * Finds the JSON in an answer: every object or list that stands outside of another one, with prose, code fences and
 * thinking parts around them. Linear: what was read is not read again, except for a bounded number of restarts.
 */
import type { ArrayNode, Doubt, ObjectNode } from './json-node.ts';
import { readJsonAt } from './read-json.ts';

/** How often a bracket in prose that never closes may make the scan start again behind it, unless the caller says otherwise. */
const MAX_RESTARTS = 8;

/** Tags around thinking, and the mark of the channel that holds the answer. */
const TAGS = /<(\/?)(?:think|thinking|thought|reasoning)>|<\|channel\|>\s?final\s?<\|message\|>/g;
const BRACKET = /[{[]/g;

export type Block = ObjectNode | ArrayNode;

interface Tag {
  readonly at: number;
  readonly end: number;
  /** True for the tag that starts thinking; every other one ends a draft. */
  readonly opens: boolean;
}

export interface Blocks {
  readonly blocks: readonly Block[];
  readonly doubts: readonly Doubt[];
  /** What concerns the answer as a whole; phrases that complete "in the answer …". */
  readonly warnings: readonly string[];
  /** What stands outside of the blocks. */
  readonly outside: string;
}

/** State of one scan; blocks of a draft are thrown away when its end comes. */
interface Scan {
  at: number;
  /** Restarts that are left. */
  restarts: number;
  blocks: Block[];
  readonly doubts: Doubt[];
  readonly warnings: string[];
  readonly outside: string[];
}

/**
 * @param isAnswer tells a block that holds findings from a bracket in prose.
 * A tag inside a block is text of the model, not a tag: quoting one does not change what counts.
 */
export function scanBlocks(text: string, isAnswer: (block: Block) => boolean, restarts: number = MAX_RESTARTS): Blocks {
  const scan: Scan = { at: 0, restarts, blocks: [], doubts: [], warnings: [], outside: [] };
  const tags = [...text.matchAll(TAGS)].map(match => ({ at: match.index, end: match.index + match[0].length, opens: match[1] === '' }));
  let next = 0;
  let bracket = -1;
  while (scan.at < text.length) {
    while ((tags[next]?.at ?? scan.at) < scan.at) next += 1;
    if (bracket < scan.at) bracket = bracketFrom(text, scan.at);
    const tag = tags[next];
    const stop = Math.min(tag?.at ?? text.length, bracket);
    scan.outside.push(text.slice(scan.at, stop));
    scan.at = stop;
    if (tag?.at === stop) passTag(scan, tag, tags, next);
    else if (stop < text.length) readBlock(scan, text, isAnswer);
  }
  return { ...scan, outside: scan.outside.join('') };
}

function bracketFrom(text: string, at: number): number {
  BRACKET.lastIndex = at;
  return BRACKET.exec(text)?.index ?? text.length;
}

/** Thinking is skipped up to its end. When it has none, what follows is read, and the answer is doubtful. */
function passTag(scan: Scan, tag: Tag, tags: readonly Tag[], index: number): void {
  scan.at = tag.end;
  if (!tag.opens) {
    scan.blocks = [];
    return;
  }
  if (scan.warnings.length > 0) return;
  let end = index + 1;
  while (tags[end]?.opens === true) end += 1;
  const closing = tags[end];
  if (closing !== undefined) scan.at = closing.at;
  else scan.warnings.push('the thinking part never ends');
}

function readBlock(scan: Scan, text: string, isAnswer: (block: Block) => boolean): void {
  const start = scan.at;
  const { node, doubts } = readJsonAt(text, start);
  const emptyList = node.kind === 'array' && node.items.length === 0 && node.ending === 'closed';
  if (isAnswer(node) || emptyList) {
    scan.blocks.push(node);
    for (const doubt of emptyList ? [] : doubts) scan.doubts.push(doubt);
    scan.at = node.end;
    return;
  }
  scan.outside.push(text.slice(start, start + 1));
  scan.at = node.end;
  if (node.ending === 'closed') return;
  scan.at = start + 1;
  scan.restarts -= 1;
  if (scan.restarts >= 0) return;
  scan.warnings.push('too many brackets are never closed, so the rest was not read');
  scan.at = text.length;
}
