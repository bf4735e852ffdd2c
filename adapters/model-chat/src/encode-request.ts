/** From a question to the body of `POST /chat/completions`; the dialect comes from settings, never from the model's name. */
import type { ModelRequest } from '@weir/ports';
import type { ChatRequest } from './chat.wire.ts';

export interface ChatDialect {
  /** As the endpoint names it. */
  readonly model: string;
  /** Name of the field that bounds the answer. */
  readonly outputTokenParameter: 'max_tokens' | 'max_completion_tokens';
  /** Ask for a JSON object. */
  readonly jsonMode: boolean;
  /** Null: the field is not sent, which reasoning models require. */
  readonly temperature: number | null;
  /** Ask for token counts at the end of the stream. False for endpoints that refuse `stream_options`; counts are then unknown. */
  readonly streamUsage?: boolean;
}

/** The vendor refuses JSON mode when no message holds this word. */
const NAMES_JSON = /json/i;

export function encodeRequest(dialect: ChatDialect, request: ModelRequest): ChatRequest {
  const { system, user } = request;
  const messages: ChatRequest['messages'] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const asksForJson = dialect.jsonMode && messages.some(message => NAMES_JSON.test(message.content));
  return {
    model: dialect.model,
    // An empty message is refused by some endpoints.
    messages: messages.filter(message => message.content !== ''),
    stream: true,
    ...(dialect.streamUsage === false ? {} : { stream_options: { include_usage: true } }),
    [dialect.outputTokenParameter]: request.maxOutputTokens,
    ...(dialect.temperature === null ? {} : { temperature: dialect.temperature }),
    ...(asksForJson ? { response_format: { type: 'json_object' } } : {}),
  };
}
