/**
 * The way back into the protocol that a request came in: what the plan does not touch goes out as the very object that
 * came in, and only the rest is written anew. Nothing is lost that the intermediate form does not know.
 */
import type { Conversion } from './conversion.ts';
import type { Item } from './item.ts';
import type { JsonObject } from './json.ts';

export interface SegmentWriter {
  /** Writes items anew; it gets runs of neighbours that share a wire object or have none. */
  build(segment: readonly Item[]): readonly JsonObject[];
  /** False for an item that has to be written anew although it is the one that came. */
  isUntouched(item: Item): boolean;
}

export function nativeSegments(items: readonly Item[], { request }: Conversion, { build, isUntouched }: SegmentWriter): readonly JsonObject[] {
  const original = countByWire(request.items);
  const written: JsonObject[] = [];
  let at = 0;
  while (at < items.length) {
    const wire = items[at]?.wire;
    let end = at + 1;
    while (end < items.length && items[end]?.wire === wire) end += 1;
    const segment = items.slice(at, end);
    const whole = wire !== undefined && segment.length === original.get(wire) && segment.every(isUntouched);
    written.push(...(whole ? [wire] : build(segment)));
    at = end;
  }
  return written;
}

function countByWire(items: readonly Item[]): ReadonlyMap<JsonObject, number> {
  const counts = new Map<JsonObject, number>();
  for (const { wire } of items) if (wire !== undefined) counts.set(wire, (counts.get(wire) ?? 0) + 1);
  return counts;
}

/** Only a call can need another form without being another item: its name. */
export function keepsCalls(conversion: Conversion): (item: Item) => boolean {
  return item => {
    if (item.type !== 'call') return true;
    const planned = conversion.plan.toUpstream(item.tool);
    return planned?.form === 'same' && planned.alias === item.tool.name;
  };
}
