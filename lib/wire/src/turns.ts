/**
 * Items in the order that Chat and Messages demand (MOD-13): an unbroken run of calls is one assistant turn, its results
 * follow at once in the order of the calls, and whatever stood between call and result is held back until then.
 */
import type { CallItem, Item, ResultItem } from './item.ts';
import { pairCalls } from './pair-calls.ts';

/** Reasoning and text of one model turn, and the calls that it ends with. */
export interface AssistantTurn {
  readonly type: 'assistant';
  readonly items: readonly Item[];
}

export interface ResultsTurn {
  readonly type: 'results';
  readonly results: readonly ResultItem[];
}

export interface OtherTurn {
  readonly type: 'other';
  readonly item: Item;
}

export type Turn = AssistantTurn | ResultsTurn | OtherTurn;

export interface Turns {
  readonly turns: readonly Turn[];
  /** Results that answer no call. They stand where they stood, and most upstreams refuse them. */
  readonly orphans: readonly ResultItem[];
  /** Calls that no result answers. */
  readonly unanswered: number;
}

const isModels = (item: Item): boolean => item.type === 'reasoning' || item.type === 'call' || (item.type === 'message' && item.role === 'assistant');

/** @throws RequestProblem `duplicate_call_id`. */
export function groupTurns(items: readonly Item[]): Turns {
  const { resultOf, orphans } = pairCalls(items);
  const turns: Turn[] = [];
  let rest: readonly Item[] = items;
  while (rest.length > 0) {
    const [head, ...after] = splitGroup(rest, resultOf);
    turns.push(...head);
    rest = after[0] ?? [];
  }
  const calls = items.filter(item => item.type === 'call').length;
  return { turns, orphans, unanswered: calls - resultOf.size };
}

/** A turn that broke off after its reasoning: what is left of it says nothing, and vendors refuse such a message. */
export const brokeOff = (turn: Turn): boolean => turn.type === 'assistant' && turn.items.every(item => item.type === 'reasoning');

/** A run of calls that still waits for results, and what is held back meanwhile. */
interface OpenGroup {
  readonly turn: Item[];
  readonly held: Item[];
  readonly waits: Set<Item>;
  answered: boolean;
}

/** The turns up to the first complete group of calls and results, and the items that come after them. */
function splitGroup(items: readonly Item[], resultOf: ReadonlyMap<CallItem, ResultItem>): readonly [Turn[], Item[]] {
  const first = items.findIndex(item => item.type === 'call');
  if (first < 0) return [plainTurns(items), []];
  const group: OpenGroup = { turn: [], held: [], waits: new Set(), answered: false };
  const tail = items.slice(first);
  const end = tail.findIndex(item => !takes(group, item, resultOf));
  const results = group.turn.flatMap(item => (item.type === 'call' ? (resultOf.get(item) ?? []) : []));
  const turns: Turn[] = [...plainTurns(items.slice(0, first)), ...modelTurns(group.turn)];
  if (results.length > 0) turns.push({ type: 'results', results });
  return [mergeLead(turns), [...group.held, ...(end < 0 ? [] : tail.slice(end))]];
}

/** Puts the item into the group or holds it back; false once the group is complete and the item is not part of it. */
function takes(group: OpenGroup, item: Item, resultOf: ReadonlyMap<CallItem, ResultItem>): boolean {
  if (group.waits.delete(item)) {
    group.answered = true;
    return true;
  }
  const open = group.waits.size > 0;
  const joins = !group.answered && isModels(item) && (open || item.type === 'call');
  if (!joins && !open) return false;
  (joins ? group.turn : group.held).push(item);
  const result = joins && item.type === 'call' ? resultOf.get(item) : undefined;
  if (result !== undefined) group.waits.add(result);
  return true;
}

const modelTurns = (items: readonly Item[]): Turn[] => (items.length === 0 ? [] : [{ type: 'assistant', items }]);

/** Items without calls: one text ends a model's turn, so that two texts stay two messages. */
function plainTurns(items: readonly Item[]): Turn[] {
  const turns: Turn[] = [];
  let lead: Item[] = [];
  for (const item of items) {
    if (!isModels(item)) {
      turns.push(...modelTurns(lead), item.type === 'result' ? { type: 'results', results: [item] } : { type: 'other', item });
      lead = [];
    } else if (lead.some(before => before.type === 'message')) {
      turns.push(...modelTurns(lead));
      lead = [item];
    } else lead.push(item);
  }
  return [...turns, ...modelTurns(lead)];
}

/** Text right before a run of calls belongs to the same turn. */
function mergeLead(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const before = merged.at(-1);
    const isCalls = turn.type === 'assistant' && turn.items[0]?.type === 'call';
    if (isCalls && before?.type === 'assistant' && before.items.every(item => item.type !== 'call')) {
      merged[merged.length - 1] = { type: 'assistant', items: [...before.items, ...turn.items] };
    } else merged.push(turn);
  }
  return merged;
}
