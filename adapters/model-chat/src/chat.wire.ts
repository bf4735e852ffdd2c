/**
 * The request that Weir sends to `POST /chat/completions`, frozen.
 * Source: the vendor's OpenAPI description, CreateChatCompletionRequest (as in its client library 6.49); a test holds this form to it.
 */
import { z } from 'zod';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  /** Streaming: the first byte comes early, so a deadline for it does not end a long answer. */
  readonly stream: true;
  /** Without it a stream ends without token counts. */
  readonly stream_options?: { readonly include_usage: true };
  /** Exactly one of the two: newer models refuse the first, older servers do not know the second. */
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly response_format?: { readonly type: 'json_object' };
}

const outputTokens = z.exactOptional(z.number().int().positive());

export const ChatRequest: z.ZodType<ChatRequest> = z
  .strictObject({
    model: z.string().min(1),
    messages: z.array(z.strictObject({ role: z.enum(['system', 'user']), content: z.string().min(1) })).min(1),
    stream: z.literal(true),
    stream_options: z.exactOptional(z.strictObject({ include_usage: z.literal(true) })),
    max_tokens: outputTokens,
    max_completion_tokens: outputTokens,
    temperature: z.exactOptional(z.number().min(0).max(2)),
    response_format: z.exactOptional(z.strictObject({ type: z.literal('json_object') })),
  })
  .refine(request => (request.max_tokens === undefined) !== (request.max_completion_tokens === undefined));
