/** The items of a request as the route can take them; the encoders only write them down. */
import type { ToolDeclaration } from '@weir/tool-plan';
import type { Conversion } from './conversion.ts';
import type { Item } from './item.ts';
import { settleImages } from './settle-images.ts';
import { settleInputTools } from './settle-input-tools.ts';
import { settleReasoning } from './settle-reasoning.ts';
import { settleSystem } from './settle-system.ts';

export interface Prepared {
  readonly items: readonly Item[];
  /** Keys of tools whose declaration stays in the input. */
  readonly inPlace: ReadonlySet<string>;
  /** The items are the ones that came, none changed, added or dropped. */
  readonly unchanged: boolean;
}

export function prepareItems(conversion: Conversion): Prepared {
  const { items: tooled, inPlace } = settleInputTools(conversion);
  const items = settleImages(settleReasoning(settleSystem(tooled, conversion), conversion), conversion);
  const before = conversion.request.items;
  return { items, inPlace, unchanged: items.length === before.length && items.every((item, index) => item === before[index]) };
}

/** All declarations of a request, in the order of the inventory: the top of the request first, then the input. */
export const declaredTools = (tools: readonly ToolDeclaration[], items: readonly Item[]): readonly ToolDeclaration[] => [
  ...tools,
  ...items.flatMap(item => (item.type === 'additional_tools' || item.type === 'search_output' ? item.tools : [])),
];
