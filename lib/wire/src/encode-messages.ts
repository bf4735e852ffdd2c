/** A request in the intermediate form, as a Messages body. */
import { callIds, type CallIds } from './call-ids.ts';
import { type Conversion, isNative } from './conversion.ts';
import { SYSTEM } from './decode-messages.ts';
import { RequestProblem } from './gateway-failure.ts';
import type { CallItem, Item, Part, ReasoningItem, ResultItem } from './item.ts';
import { type JsonObject, present, without } from './json.ts';
import { DEFAULT_MAX_TOKENS } from './messages.wire.ts';
import { keepsCalls, nativeSegments } from './native-segments.ts';
import type { Prepared } from './prepared.ts';
import { isInstruction } from './settle-system.ts';
import { brokeOff, groupTurns } from './turns.ts';
import { argumentsObject, upstreamCall } from './write-call.ts';
import { writeFormat } from './write-format.ts';
import { messagesPart, withoutEmpty } from './write-parts.ts';
import { writeChoice, writeTools } from './write-tools.ts';

/** Fields that the body gets anew; the caller adds or keeps the rest. */
export function encodeMessages(conversion: Conversion, prepared: Prepared): JsonObject {
  const { request, facts } = conversion;
  const tools = writeTools(conversion, prepared);
  const [lead, ...others] = prepared.items;
  const isLead = lead !== undefined && isInstruction(lead);
  const shared = {
    system: isLead ? writeSystem(lead, conversion) : undefined,
    messages: writeMessages(isLead ? others : prepared.items, conversion),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: withParallel(writeChoice(conversion, tools.length), conversion, tools.length),
  };
  const format = writeFormat(request.answerFormat, facts);
  if (isNative(conversion)) return shared;
  const { settings } = request;
  return {
    ...shared,
    max_tokens: settings.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
    temperature: settings.temperature,
    top_p: settings.topP,
    stop_sequences: settings.stop.length > 0 ? settings.stop : undefined,
    output_config: format === undefined ? undefined : { format },
  };
}

/** The switch stands inside tool_choice, and only when it says something. */
function withParallel(choice: unknown, { request, facts }: Conversion, tools: number): unknown {
  if (request.parallelCalls === undefined || !facts.parallel_calls || tools === 0) return choice;
  if (request.parallelCalls && request.protocol !== 'messages') return choice;
  const base = (choice ?? { type: 'auto' }) as JsonObject;
  return base['type'] === 'none' ? base : { ...base, disable_parallel_tool_use: !request.parallelCalls };
}

function writeSystem(lead: Item & { readonly parts: readonly Part[] }, conversion: Conversion): unknown {
  if (lead.wire === SYSTEM) return conversion.request.wire['system'];
  const blocks = withoutEmpty(lead.parts).map(part => messagesPart(part, { native: isNative(conversion) }));
  return blocks.length > 0 ? blocks : undefined;
}

function writeMessages(items: readonly Item[], conversion: Conversion): readonly JsonObject[] {
  const ids = callIds(items);
  const write = (segment: readonly Item[]): readonly JsonObject[] => writeTurns(segment, conversion, ids);
  return isNative(conversion) ? nativeSegments(items, conversion, { build: write, isUntouched: keepsCalls(conversion) }) : write(items);
}

interface Draft {
  readonly role: string;
  readonly extra: JsonObject;
  readonly content: JsonObject[];
}

/** Neighbours of one role are one message, so that roles alternate; results stand first in the user's message. */
function writeTurns(items: readonly Item[], conversion: Conversion, ids: CallIds): readonly JsonObject[] {
  const { turns: all, orphans, unanswered } = groupTurns(items);
  const turns = isNative(conversion) ? all : all.filter(turn => !brokeOff(turn));
  if (!isNative(conversion)) {
    const orphan = orphans[0];
    if (orphan !== undefined)
      throw new RequestProblem('result_without_call', `No call has the id of the result ${JSON.stringify(orphan.callId.slice(0, 80))}.`);
    if (turns.length < all.length) conversion.diagnostics.add('reasoning_dropped', 'A turn that broke off after its reasoning is left out.');
    if (unanswered > 0) conversion.diagnostics.add('call_without_result', 'A call in the history has no result, which the protocol refuses.');
  }
  const drafts: Draft[] = [];
  const add = (role: string, item: Item, blocks: readonly JsonObject[]): void => {
    const before = drafts.at(-1);
    if (blocks.length === 0) return;
    if (before?.role === role && role !== 'system') before.content.push(...blocks);
    else drafts.push({ role, extra: extraOf(item, conversion), content: [...blocks] });
  };
  for (const turn of turns) {
    if (turn.type === 'results') for (const result of turn.results) add('user', result, [writeResult(result, conversion, ids)]);
    else for (const item of turn.type === 'assistant' ? turn.items : [turn.item]) add(roleOf(item), item, writeBlocks(item, conversion, ids));
  }
  return drafts.map(({ role, extra, content }) => ({ role, content, ...extra }));
}

const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['role', 'content']);
const extraOf = ({ wire }: Item, conversion: Conversion): JsonObject => (isNative(conversion) && wire !== undefined ? without(wire, MESSAGE_FIELDS) : {});

function roleOf(item: Item): string {
  if (item.type === 'opaque') return typeof item.wire['role'] === 'string' ? item.wire['role'] : 'user';
  if (item.type !== 'message') return 'assistant';
  return item.role === 'developer' ? 'system' : item.role;
}

function writeBlocks(item: Item, conversion: Conversion, ids: CallIds): readonly JsonObject[] {
  switch (item.type) {
    case 'message':
      return withoutEmpty(item.parts).map(part => messagesPart(part, { native: isNative(conversion) }));
    case 'reasoning':
      return writeReasoning(item);
    case 'call':
      return [writeCall(item, conversion, ids)];
    case 'opaque':
      return [item.piece];
    case 'result':
    case 'additional_tools':
    case 'search_output':
    case 'agent_message':
      return [];
  }
}

/** A thinking block needs the signature that its own route gave it. */
function writeReasoning({ sealed, text, summary }: ReasoningItem): readonly JsonObject[] {
  if (sealed?.form === 'redacted') return [{ type: 'redacted_thinking', data: sealed.value }];
  return [{ type: 'thinking', thinking: [...text, ...(text.length === 0 ? summary : [])].join('\n'), signature: sealed?.value ?? '' }];
}

const CALL_FIELDS: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input']);

function writeCall(item: CallItem, conversion: Conversion, ids: CallIds): JsonObject {
  const { planned, input } = upstreamCall(item, conversion);
  const extra = isNative(conversion) && item.piece !== undefined ? without(item.piece, CALL_FIELDS) : {};
  return { type: 'tool_use', id: ids.legal(item.callId), name: planned.alias, input: argumentsObject(input), ...extra };
}

const RESULT_FIELDS: ReadonlySet<string> = new Set(['type', 'tool_use_id', 'content', 'is_error']);

function writeResult(item: ResultItem, conversion: Conversion, ids: CallIds): JsonObject {
  const native = isNative(conversion);
  const content = withoutEmpty(item.parts).map(part => messagesPart(part, { native }));
  const extra = native && item.piece !== undefined ? without(item.piece, RESULT_FIELDS) : {};
  const said = native ? item.piece?.['is_error'] : undefined;
  return present({
    type: 'tool_result',
    tool_use_id: ids.legal(item.callId),
    content: content.length > 0 ? content : undefined,
    is_error: item.failed ? true : said,
    ...extra,
  });
}
