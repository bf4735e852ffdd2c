/**
 * Items that only some Responses upstreams know: declarations inside the input, search outputs, messages between agents,
 * and items of unknown types. Each stays whole where the route takes it, and else becomes what the route does take.
 */
import { toolKey } from '@weir/tool-plan';
import { type Conversion, isNative } from './conversion.ts';
import { RequestProblem } from './gateway-failure.ts';
import type { AgentMessageItem, Item, OpaqueItem, SearchOutputItem } from './item.ts';
import { RESPONSES_MEANING_ITEMS } from './responses.wire.ts';

export interface SettledTools {
  readonly items: readonly Item[];
  /** Keys of tools whose declaration stays in the input and must not move to `tools`. */
  readonly inPlace: ReadonlySet<string>;
}

export function settleInputTools(conversion: Conversion): SettledTools {
  const inPlace = new Set<string>();
  const native = nativeKeys(conversion);
  const settle = (item: Item): readonly Item[] => {
    if (item.type === 'agent_message' || item.type === 'opaque') return isNative(conversion) ? [item] : foreign(item, conversion);
    if (item.type !== 'additional_tools' && item.type !== 'search_output') return [item];
    const read = item.type === 'additional_tools' ? conversion.facts.additional_tools : conversion.facts.tool_search;
    if (!read || !isNative(conversion) || !item.tools.every(tool => native.has(toolKey(tool)))) {
      return item.type === 'additional_tools' ? [] : [searchResult(item, conversion)];
    }
    for (const tool of item.tools) inPlace.add(toolKey(tool));
    return [item];
  };
  return { items: conversion.request.items.flatMap(settle), inPlace };
}

function foreign(item: AgentMessageItem | OpaqueItem, conversion: Conversion): readonly Item[] {
  if (item.type === 'opaque') return explainLoss(item, conversion);
  conversion.diagnostics.add('agent_message', 'A message between agents goes as a user message.');
  return [{ type: 'message', role: 'user', parts: item.parts, wire: undefined }];
}

/** Native for their own sake; whether the place is one that the route reads is decided for each item. */
function nativeKeys({ plan }: Conversion): ReadonlySet<string> {
  const same = plan.entries.filter(({ planned, declaration }) => planned?.form === 'same' && planned.alias === declaration.name);
  return new Set(same.map(({ declaration }) => toolKey(declaration)));
}

/** The model learns the names under which it can call what the search found. */
function searchResult(item: SearchOutputItem, { plan }: Conversion): Item {
  const found = item.tools.flatMap(tool => {
    const planned = plan.toUpstream(tool);
    return planned === undefined ? [] : [{ name: planned.alias, description: tool.description }];
  });
  const text = JSON.stringify({ tools: found });
  return { type: 'result', callId: item.callId, kind: 'function', parts: [{ type: 'text', text }], failed: false, wire: undefined };
}

function explainLoss(item: OpaqueItem, { diagnostics }: Conversion): readonly Item[] {
  const meaning = Object.hasOwn(RESPONSES_MEANING_ITEMS, item.name) ? RESPONSES_MEANING_ITEMS[item.name] : undefined;
  if (meaning !== undefined) {
    throw new RequestProblem('unsupported_item', `The history holds ${meaning} (${item.name}), which only the provider that made it can read.`);
  }
  diagnostics.add('item_dropped', `The route's protocol has no form for ${item.name.slice(0, 80)}.`);
  return [];
}
