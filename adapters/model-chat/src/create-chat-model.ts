/**
 * A model behind any endpoint that speaks Chat Completions: asks once, streams, never retries.
 * What arrived before a break is returned with the finish `other`: it has been paid for, and never counts as complete.
 */
import { AppError } from '@weir/kernel';
import { HttpFailure, type HttpPort, type HttpRequest, type HttpResponse, type ModelAnswer, type ModelPort, type ModelRequest } from '@weir/ports';
import { createAnswerDraft } from './answer-draft.ts';
import { chatEndpoint } from './chat-endpoint.ts';
import { classifyPayload, classifyReply, classifyThrown } from './classify-failure.ts';
import { type ChatDialect, encodeRequest } from './encode-request.ts';
import { readPayloads } from './read-payloads.ts';

export interface ChatModelOptions extends ChatDialect {
  readonly http: HttpPort;
  /** Root of the API, as set in `model.baseUrl`. */
  readonly baseUrl: string;
  /** Null for endpoints that want none. */
  readonly key: string | null;
  /** Milliseconds of silence that end the call: before the first byte, and between two (REV-20). */
  readonly timeoutMs: number;
  /** Milliseconds that one answer may take in all, however steadily it arrives. */
  readonly longestAnswerMs?: number;
}

const LONGEST_ANSWER_MS = 30 * 60_000;
/** About 300 bytes of stream for each token: room for more than 100,000 tokens. */
const MAX_RESPONSE_BYTES = 32_000_000;
/** More of an error's body is not read. */
const MAX_ERROR_CHARACTERS = 64_000;
/** What a header can carry; a line break in a key file is the usual mistake. */
const KEY_TEXT = /^[\x21-\x7e]+$/;

function httpRequest(endpoint: URL, options: ChatModelOptions, question: ModelRequest): HttpRequest {
  return {
    method: 'POST',
    url: endpoint.href,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'weir',
      ...(options.key === null ? {} : { authorization: `Bearer ${options.key}` }),
    },
    body: JSON.stringify(encodeRequest(options, question)),
    firstByteTimeoutMs: options.timeoutMs,
    idleTimeoutMs: options.timeoutMs,
    maxBytes: MAX_RESPONSE_BYTES,
  };
}

/** @throws AppError CONFIG_INVALID for an address that is no URL and for a key that no header can carry. */
export function createChatModel(options: ChatModelOptions): ModelPort {
  const { key } = options;
  const endpoint = chatEndpoint(options.baseUrl);
  if (key !== null && !KEY_TEXT.test(key)) {
    throw new AppError('CONFIG_INVALID', '`model.key` holds a space, a line break or another character that a key never has.');
  }

  async function ask(question: ModelRequest, caller: AbortSignal, limit: AbortSignal): Promise<ModelAnswer> {
    const response = await options.http.send(httpRequest(endpoint, options, question), AbortSignal.any([caller, limit]));
    const { status, headers } = response;
    if (status >= 200 && status < 300) return readAnswer(response, endpoint.origin, options, caller);
    throw classifyReply({ origin: endpoint.origin, status, headers, body: await readText(response), key });
  }

  return {
    complete: async (question, signal) => {
      const limit = new AbortController();
      const late = new HttpFailure('timeout', `${endpoint.origin} did not end its answer in time.`);
      const timer = setTimeout(() => limit.abort(late), options.longestAnswerMs ?? LONGEST_ANSWER_MS);
      try {
        return await ask(question, signal, limit.signal);
      } catch (error) {
        throw signal.aborted ? signal.reason : classifyThrown(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function readAnswer(response: HttpResponse, origin: string, options: ChatModelOptions, caller: AbortSignal): Promise<ModelAnswer> {
  const draft = createAnswerDraft();
  let recognised = false;
  try {
    for await (const payload of readPayloads(response.body)) {
      const failure = classifyPayload(payload, origin, options.key);
      if (failure !== undefined) throw failure;
      recognised = draft.take(payload) || recognised;
    }
  } catch (error) {
    const broke = error instanceof AppError || error instanceof HttpFailure;
    if (!broke || caller.aborted || !draft.started()) throw error;
  }
  if (!recognised) throw new AppError('MODEL_GARBLED', `${origin} answered with something that is not a chat completion.`);
  return draft.answer(options.model);
}

async function readText({ body }: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ERROR_CHARACTERS) break;
  }
  return text.slice(0, MAX_ERROR_CHARACTERS);
}
