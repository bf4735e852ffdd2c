/**
 * System and developer messages by capability (MOD-13): the role that the route knows, and one leading message where it
 * takes no second. Nothing is dropped and no instruction is demoted to a user's.
 */
import type { Conversion } from './conversion.ts';
import type { Item, MessageItem } from './item.ts';

export function settleSystem(items: readonly Item[], { facts, upstream }: Conversion): readonly Item[] {
  const developer = facts.developer_role && upstream !== 'messages';
  const renamed = items.map(item =>
    isInstruction(item) && item.role === 'developer' && !developer ? { ...item, role: 'system' as const, wire: undefined } : item,
  );
  const instructions = renamed.filter(isInstruction);
  if (facts.second_system_message || instructions.length === 0) return renamed;
  if (instructions.length === 1 && renamed[0] === instructions[0]) return renamed;
  const role = instructions.some(item => item.role === 'system') ? 'system' : 'developer';
  const merged: MessageItem = { type: 'message', role, parts: instructions.flatMap(item => item.parts), wire: undefined };
  return [merged, ...renamed.filter(item => !isInstruction(item))];
}

export const isInstruction = (item: Item): item is MessageItem => item.type === 'message' && (item.role === 'system' || item.role === 'developer');
