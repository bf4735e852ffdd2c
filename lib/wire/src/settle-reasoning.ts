/**
 * Reasoning of earlier turns, by route (MOD-13): sealed content returns only to the route that made it, plain text only
 * where the upstream has a field for it. What cannot return is dropped with a diagnostic; no model needs it to be correct.
 */
import { type Conversion, isNative } from './conversion.ts';
import type { Item, ReasoningItem, Sealed } from './item.ts';
import { SEAL_PROTOCOL } from './sealed.ts';

export function settleReasoning(items: readonly Item[], conversion: Conversion): readonly Item[] {
  return items.flatMap(item => (item.type === 'reasoning' ? settle(item, conversion) : [item]));
}

function settle(item: ReasoningItem, conversion: Conversion): readonly Item[] {
  const { diagnostics } = conversion;
  const returns = item.sealed !== undefined && sealReturns(item.sealed, conversion);
  if (item.sealed !== undefined && !returns) diagnostics.add('sealed_reasoning_dropped', 'Sealed reasoning belongs to another route.');
  if (returns) return [item.sealed.route === undefined ? item : { ...item, wire: undefined }];
  if (!takesPlain(item, conversion)) {
    if (item.sealed === undefined) diagnostics.add('reasoning_dropped', 'The route takes no reasoning text back.');
    return [];
  }
  return [item.sealed === undefined ? item : { ...item, sealed: undefined, wire: undefined }];
}

function sealReturns({ route, form }: Sealed, conversion: Conversion): boolean {
  if (conversion.facts.sealed_reasoning !== 'route' || SEAL_PROTOCOL[form] !== conversion.upstream) return false;
  return route === undefined ? isNative(conversion) : route === conversion.route;
}

/** A chat history keeps the field that it came with; the other protocols take no plain reasoning without a seal. */
function takesPlain(item: ReasoningItem, conversion: Conversion): boolean {
  const plain = item.summary.length + item.text.length > 0;
  if (conversion.upstream !== 'chat') return item.sealed === undefined && isNative(conversion);
  return plain && (conversion.facts.reasoning_field !== null || isNative(conversion));
}
