/**
 * A scripted upstream and a reading client for the tests: SSE of all three protocols, written and read without any code
 * of the product, so that both sides of a conversion are checked by somebody else.
 */
import type { WireProtocol } from '@weir/tool-plan';

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  /** `custom` and `tool_search` exist at a Responses upstream, `custom` at a chat upstream. */
  readonly kind: 'function' | 'custom' | 'tool_search';
  /** Arguments or freeform input, as the model writes them. */
  readonly input: string;
}

export interface Script {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: string;
}

export const USAGE: Readonly<Record<WireProtocol, object>> = {
  responses: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60 },
    output_tokens: 30,
    output_tokens_details: { reasoning_tokens: 10 },
    total_tokens: 130,
  },
  chat: {
    prompt_tokens: 100,
    completion_tokens: 30,
    total_tokens: 130,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 10 },
  },
  messages: { input_tokens: 40, cache_read_input_tokens: 60, cache_creation_input_tokens: 0, output_tokens: 30 },
};

/** Pieces of a text, of uneven lengths, cut between UTF-16 units. */
const pieces = (text: string): readonly string[] => {
  const cut: string[] = [];
  for (let at = 0, size = 1; at < text.length; at += size, size = (size % 7) + 2) cut.push(text.slice(at, at + size));
  return cut;
};

const named = (event: object & { readonly type: string }): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function responsesStream({ reasoning, text, calls = [], finish }: Script): string {
  const events: (object & { readonly type: string })[] = [
    { type: 'response.created', ...{ response: { id: 'resp_s', created_at: 7, model: 'm', status: 'in_progress' } } },
  ];
  let index = -1;
  const item = (start: object, end: object, deltas: readonly (object & { readonly type: string })[]): void => {
    index += 1;
    events.push({ type: 'response.output_item.added', ...{ output_index: index, item: start } });
    events.push(...deltas.map(delta => ({ ...delta, output_index: index })));
    events.push({ type: 'response.output_item.done', ...{ output_index: index, item: end } });
  };
  if (reasoning !== undefined) {
    const base = { type: 'reasoning', id: 'rs_s', encrypted_content: 'SEALED==' };
    const deltas = pieces(reasoning).map(delta => ({ type: 'response.reasoning_summary_text.delta', item_id: 'rs_s', summary_index: 0, delta }));
    item({ ...base, summary: [] }, { ...base, summary: [{ type: 'summary_text', text: reasoning }] }, deltas);
  }
  if (text !== undefined) {
    const base = { type: 'message', id: 'msg_s', role: 'assistant' };
    const deltas = pieces(text).map(delta => ({ type: 'response.output_text.delta', item_id: 'msg_s', content_index: 0, delta }));
    item({ ...base, content: [] }, { ...base, content: [{ type: 'output_text', text, annotations: [] }] }, deltas);
  }
  for (const { id, name, namespace, kind, input } of calls) {
    if (kind === 'tool_search') {
      const base = { type: 'tool_search_call', id: `tsc_${id}`, call_id: id, execution: 'client' };
      item({ ...base, arguments: {} }, { ...base, arguments: JSON.parse(input) as unknown }, []);
      continue;
    }
    const field = kind === 'custom' ? 'input' : 'arguments';
    const base = {
      type: kind === 'custom' ? 'custom_tool_call' : 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      ...(namespace === undefined ? {} : { namespace }),
    };
    const type = kind === 'custom' ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta';
    item(
      { ...base, [field]: '' },
      { ...base, [field]: input },
      pieces(input).map(delta => ({ type, item_id: base.id, delta })),
    );
  }
  const incomplete = finish === 'length' ? { incomplete_details: { reason: 'max_output_tokens' } } : {};
  const type = finish === 'length' ? 'response.incomplete' : 'response.completed';
  events.push({ type, ...{ response: { id: 'resp_s', status: 'completed', output: [], usage: USAGE.responses, ...incomplete } } });
  return events.map((event, number) => named({ ...event, sequence_number: number } as typeof event)).join('');
}

function chatStream({ reasoning, text, calls = [], finish }: Script): string {
  const chunk = (delta: object, reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: 's', created: 7, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const lines = [chunk({ role: 'assistant', content: '' })];
  lines.push(...pieces(reasoning ?? '').map(piece => chunk({ reasoning_content: piece })));
  lines.push(...pieces(text ?? '').map(piece => chunk({ content: piece })));
  calls.forEach(({ id, name, kind, input }, index) => {
    const type = kind === 'custom' ? 'custom' : 'function';
    const field = kind === 'custom' ? 'input' : 'arguments';
    lines.push(chunk({ tool_calls: [{ index, id, type, [type]: { name, [field]: '' } }] }));
    lines.push(...pieces(input).map(piece => chunk({ tool_calls: [{ index, [type]: { [field]: piece } }] })));
  });
  lines.push(chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')));
  lines.push(`data: ${JSON.stringify({ id: 's', choices: [], usage: USAGE.chat })}\n\n`, 'data: [DONE]\n\n');
  return lines.join('');
}

function messagesStream({ reasoning, text, calls = [], finish }: Script): string {
  const usage = { ...USAGE.messages, output_tokens: 1 };
  const lines = [named({ type: 'message_start', ...{ message: { id: 's', model: 'm', role: 'assistant', content: [], usage } } })];
  let index = -1;
  const block = (start: object, deltas: readonly object[]): void => {
    index += 1;
    lines.push(named({ type: 'content_block_start', ...{ index, content_block: start } }));
    lines.push(...deltas.map(delta => named({ type: 'content_block_delta', ...{ index, delta } })));
    lines.push(named({ type: 'content_block_stop', ...{ index } }));
  };
  if (reasoning !== undefined) {
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(reasoning).map(thinking => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'SIG==' },
    ]);
  }
  if (text !== undefined) {
    block(
      { type: 'text', text: '' },
      pieces(text).map(piece => ({ type: 'text_delta', text: piece })),
    );
  }
  for (const { id, name, input } of calls) {
    block(
      { type: 'tool_use', id, name, input: {} },
      pieces(input).map(partial_json => ({ type: 'input_json_delta', partial_json })),
    );
  }
  const stop = finish === 'length' ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  lines.push(named({ type: 'message_delta', ...{ delta: { stop_reason: stop }, usage: { output_tokens: 30 } } }), named({ type: 'message_stop' }));
  return lines.join('');
}

/** What an upstream of this protocol sends for the script. */
export const scriptedStream: Readonly<Record<WireProtocol, (script: Script) => string>> = {
  responses: responsesStream,
  chat: chatStream,
  messages: messagesStream,
};

/** What a client of a protocol understands of a stream. */
export interface Understood {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
  /** The last word: a finish reason, or `error: <code or type>`; empty where the stream just stops. */
  readonly end: string;
  readonly usage: Readonly<Record<string, unknown>> | undefined;
  /** Sealed reasoning that the client would carry back. */
  readonly sealed: string | undefined;
}

interface Wire {
  readonly [field: string]: Wire | undefined;
}
const text = (wire: unknown): string => (typeof wire === 'string' ? wire : '');

export const eventsOf = (sse: string): readonly Wire[] =>
  sse
    .split('\n\n')
    .map(block => block.split('\n').find(line => line.startsWith('data: ')))
    .filter(line => line !== undefined && line !== 'data: [DONE]')
    .map(line => JSON.parse((line ?? '').slice(6)) as Wire);

function readResponses(sse: string): Understood {
  const events = eventsOf(sse);
  const items = events.filter(event => text(event['type']) === 'response.output_item.done').map(event => event['item'] ?? {});
  const parts = (item: Wire, field: string): string => ((item[field] ?? []) as unknown as Wire[]).map(part => text(part['text'])).join('');
  const last = events.at(-1) ?? {};
  const type = text(last['type']);
  const failed = type === 'response.failed' ? `error: ${text(last['response']?.['error']?.['code'])}` : type.replace('response.', '');
  return {
    reasoning: items
      .filter(item => text(item['type']) === 'reasoning')
      .map(item => parts(item, 'summary'))
      .join(''),
    text: items
      .filter(item => text(item['type']) === 'message')
      .map(item => parts(item, 'content'))
      .join(''),
    calls: items.filter(item => text(item['type']).endsWith('_call')).map(readResponsesCall),
    end: ['completed', 'incomplete'].includes(failed) || failed.startsWith('error') ? failed : '',
    usage: last['response']?.['usage'] ?? undefined,
    sealed: items.map(item => item['encrypted_content']).find(value => value !== undefined) as string | undefined,
  };
}

function readResponsesCall(item: Wire): ScriptedCall {
  const type = text(item['type']);
  const shared = { id: text(item['call_id']), name: text(item['name']), namespace: item['namespace'] as unknown as string | undefined };
  if (type === 'tool_search_call') return { ...shared, name: 'tool_search', kind: 'tool_search', input: JSON.stringify(item['arguments']) };
  return type === 'custom_tool_call'
    ? { ...shared, kind: 'custom', input: text(item['input']) }
    : { ...shared, kind: 'function', input: text(item['arguments']) };
}

interface ChatCall {
  id: string;
  name: string;
  kind: 'function' | 'custom';
  input: string;
  namespace: undefined;
}

function addPiece(calls: ChatCall[], piece: Wire): void {
  const kind = piece['custom'] === undefined ? 'function' : 'custom';
  const call = (calls[piece['index'] as unknown as number] ??= { id: text(piece['id']), name: '', kind, input: '', namespace: undefined });
  call.name += text(piece[kind]?.['name']);
  call.input += text(piece[kind]?.[kind === 'custom' ? 'input' : 'arguments']);
}

function readChat(sse: string): Understood {
  const calls: ChatCall[] = [];
  const result = { reasoning: '', text: '', end: '', usage: undefined as Understood['usage'], sealed: undefined };
  for (const event of eventsOf(sse)) {
    if (event['error'] !== undefined) result.end = `error: ${text(event['error']['code'])}`;
    result.usage = (event['usage'] as Understood['usage']) ?? result.usage;
    const choice = ((event['choices'] ?? []) as unknown as Wire[])[0] ?? {};
    const delta = choice['delta'] ?? {};
    result.reasoning += text(delta['reasoning_content']);
    result.text += text(delta['content']);
    for (const piece of (delta['tool_calls'] ?? []) as unknown as Wire[]) addPiece(calls, piece);
    result.end = text(choice['finish_reason']) || result.end;
  }
  const whole = sse.endsWith('data: [DONE]\n\n') || result.end.startsWith('error');
  return { ...result, end: whole ? result.end : '', calls };
}

function readMessages(sse: string): Understood {
  const blocks: { kind: string; id: string; name: string; value: string; signature: string }[] = [];
  const result = { end: '', stop: '', usage: undefined as Understood['usage'] };
  for (const event of eventsOf(sse)) {
    const at = event['index'] as unknown as number;
    const start = event['content_block'] ?? {};
    const delta = event['delta'] ?? {};
    if (text(event['type']) === 'content_block_start') {
      if (at !== blocks.length) throw new Error(`block ${at} opened out of order`);
      blocks.push({ kind: text(start['type']), id: text(start['id']), name: text(start['name']), value: '', signature: '' });
    }
    const block = blocks[at];
    if (block !== undefined) {
      block.value += text(delta['text']) + text(delta['thinking']) + text(delta['partial_json']);
      block.signature += text(delta['signature']);
    }
    if (text(event['type']) === 'message_delta') Object.assign(result, { stop: text(delta['stop_reason']), usage: event['usage'] });
    if (text(event['type']) === 'message_stop') result.end = result.stop;
    if (text(event['type']) === 'error') result.end = `error: ${text(event['error']?.['type'])}`;
  }
  const of = (kind: string): string =>
    blocks
      .filter(block => block.kind === kind)
      .map(block => block.value)
      .join('');
  const calls = blocks
    .filter(block => block.kind === 'tool_use')
    .map(({ id, name, value }) => ({ id, name, namespace: undefined, kind: 'function', input: value }) as const);
  return {
    reasoning: of('thinking'),
    text: of('text'),
    calls,
    end: result.end,
    usage: result.usage,
    sealed: blocks.find(block => block.signature !== '')?.signature,
  };
}

export const understand: Readonly<Record<WireProtocol, (sse: string) => Understood>> = { responses: readResponses, chat: readChat, messages: readMessages };
