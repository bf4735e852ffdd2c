/**
 * JSON inside the strings of other JSON: models and gateways pack an answer into the arguments of a tool call.
 */
import { collectReviews } from './collect-reviews.ts';
import type { JsonNode } from './json-node.ts';
import { type Block, scanBlocks } from './scan-blocks.ts';

export const holdsReview = (block: Block): boolean => collectReviews(block).length > 0;

/** Texts that look like JSON, at any depth, in their order. */
export function packedTexts(node: JsonNode): readonly string[] {
  switch (node.kind) {
    case 'text':
      return /^\s*[{[]/.test(node.text) ? [node.text] : [];
    case 'array':
      return node.items.flatMap(packedTexts);
    case 'object':
      return node.entries.flatMap(entry => packedTexts(entry.value));
    case 'literal':
      return [];
  }
}

/** True when one of the packed texts holds findings. One level deep and without restarts, so that reading stays linear: packed JSON has no prose before it. */
export const packsReview = (block: Block): boolean => packedTexts(block).some(text => scanBlocks(text, holdsReview, 0).blocks.some(holdsReview));
