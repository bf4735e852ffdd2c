import type { Known } from '@weir/contract';

export interface ModelRequest {
  /** The static part first, so that prompt caches hold; the rest in `user` (REV-15). */
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
  /** JSON Schema that the answer should follow; an adapter whose endpoint takes none ignores it, the caller checks anyway. */
  readonly answerSchema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
}

export interface ModelAnswer {
  readonly text: string;
  /** `length`: the answer was cut at the cap. `other`: a reason that Weir does not know, or the answer broke off; never complete. */
  readonly finish: 'stop' | 'length' | 'refused' | 'other';
  readonly model: string;
  readonly inputTokens: Known<number>;
  readonly outputTokens: Known<number>;
}

/**
 * One question to one model. Throws AppError MODEL_UNREACHABLE, MODEL_TIMEOUT, MODEL_RATE_LIMITED, MODEL_REJECTED,
 * MODEL_GARBLED or URL_REFUSED. Aborting the signal ends the call upstream and rejects with the signal's reason.
 */
export interface ModelPort {
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
}
