/**
 * Images in tool results where the tool role is text-only (MOD-13): the text stays, and the images follow in a user
 * message after the whole run of results, since nothing may stand between them.
 */
import type { Conversion } from './conversion.ts';
import type { Item, Part, ResultItem } from './item.ts';

/** Stands in a result that had nothing but images. */
const MOVED = 'The image is in the next user message.';

export function settleImages(items: readonly Item[], { facts }: Conversion): readonly Item[] {
  if (facts.image_in_tool_result) return items;
  const settled: Item[] = [];
  let moved: Part[] = [];
  const flush = (): void => {
    if (moved.length > 0) settled.push({ type: 'message', role: 'user', parts: moved, wire: undefined });
    moved = [];
  };
  for (const item of items) {
    if (item.type !== 'result') {
      flush();
      settled.push(item);
      continue;
    }
    const images = item.parts.filter(part => part.type === 'image');
    settled.push(images.length === 0 ? item : withoutImages(item));
    if (images.length > 0) moved.push({ type: 'text', text: `Images returned by the tool call ${item.callId}:` }, ...images);
  }
  flush();
  return settled;
}

function withoutImages(item: ResultItem): ResultItem {
  const rest = item.parts.filter(part => part.type !== 'image');
  return { ...item, parts: rest.length === 0 ? [{ type: 'text', text: MOVED }] : rest, wire: undefined };
}
