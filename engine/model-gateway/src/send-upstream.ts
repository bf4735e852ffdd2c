/**
 * Sends one call to its route (MOD-16). Before the first byte a passing failure is repeated on the same route with jitter, and a
 * credential that is limited or refused gives way to the next one of the same provider's pool. Nothing else ever changes.
 */
import type { ResolvedRoute } from '@weir/model-routes';
import { credentialPlace, HttpFailure, type HttpResponse } from '@weir/ports';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { readErrorText } from './read-text.ts';
import { poolRefusal, sparedRefusal, statusRefusal, transportRefusal, type UpstreamRefusal, type UpstreamReply } from './upstream-refusal.ts';
import { type UpstreamOrder, upstreamRequest } from './upstream-request.ts';
import { withoutSecret } from './without-secret.ts';

export type UpstreamOutcome = { readonly response: HttpResponse; readonly credentialRef: string | null } | { readonly refusal: UpstreamRefusal };

export interface Upstream {
  /** Rejects with the signal's reason when it is aborted; every other ending is an outcome. */
  send(order: UpstreamOrder, signal: AbortSignal): Promise<UpstreamOutcome>;
}

/** Requests of one call: credentials of the pool that it tries, and repeats. */
const MAX_ATTEMPTS = 5;
/** A repeat waits at most this long, also where the upstream asks for more: then the client is told instead. */
const MAX_WAIT_MS = 10_000;
/** The shortest and the longest wait before a repeat that nobody asked to wait for. */
const JITTER_MS = { min: 200, max: 1_000 } as const;
/** How long a limited credential rests where the upstream does not say. */
const LIMIT_MS = 30_000;
/** How long one whose account is empty rests. */
const QUOTA_MS = 3_600_000;

interface Credential {
  readonly ref: string;
  readonly version: number;
  readonly secret: string;
}

export function createUpstream(world: GatewayWorld, breaker: CircuitBreaker): Upstream {
  const { http, stores, secrets, now, random, sleep } = world;

  async function pick(route: ResolvedRoute): Promise<Credential | null | UpstreamRefusal> {
    if (route.auth.scheme === 'none') return null;
    const picked = await stores.credentials.pick(route.modelProvider);
    if (!picked.available) return poolRefusal(picked, now());
    const { ref, version, sealed } = picked;
    return { ref, version, secret: secrets.open(sealed, credentialPlace({ ref, modelProvider: route.modelProvider })) };
  }

  async function attempt(order: UpstreamOrder, credential: Credential | null, signal: AbortSignal): Promise<UpstreamOutcome> {
    const origin = originOf(order.route);
    const wait = breaker.waitFor(origin);
    if (wait > 0) return { refusal: sparedRefusal(wait) };
    const ref = credential?.ref ?? null;
    await order.opened();
    try {
      const response = guarded(await http.send(upstreamRequest(order, credential?.secret ?? null), signal), credential);
      if (response.status < 500) breaker.succeeded(origin);
      else breaker.failed(origin);
      if (isSuccess(response)) return { response, credentialRef: ref };
      return { refusal: statusRefusal(await replyOf(response), ref, now()) };
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      if (error.kind !== 'refused') breaker.failed(origin);
      return { refusal: transportRefusal(error, ref) };
    }
  }

  /** Tells the pool what became of the credential. @returns whether another one may do better. */
  async function reportCredential(credential: Credential, { reason, failure }: UpstreamRefusal): Promise<boolean> {
    if (reason.kind !== 'status') return false;
    const { status } = reason.reply;
    if (status === 401) {
      await stores.credentials.report(credential.ref, credential.version, { kind: 'rejected' });
      world.report({
        event: 'attention',
        code: 'CREDENTIAL_REJECTED',
        callRef: null,
        sentence: `The credential ${credential.ref} was rejected by its model provider.`,
      });
      return true;
    }
    if (status !== 429 && failure.class !== 'quota') return false;
    const restMs = failure.class === 'quota' ? QUOTA_MS : (failure.retryAfterSeconds ?? LIMIT_MS / 1_000) * 1_000;
    await stores.credentials.report(credential.ref, credential.version, { kind: 'rate_limited', until: now() + restMs });
    return true;
  }

  /** Milliseconds until a repeat on the same route; undefined when it would not help, or the wait is too long for the client. */
  function repeatWait({ failure, reason }: UpstreamRefusal): number | undefined {
    const passing = failure.class === 'transient' ? reason.kind !== 'unsent' : failure.class === 'rate_limited';
    const waitMs = failure.retryAfterSeconds === undefined ? jitter(random()) : failure.retryAfterSeconds * 1_000;
    return passing && waitMs <= MAX_WAIT_MS ? waitMs : undefined;
  }

  async function send(order: UpstreamOrder, signal: AbortSignal): Promise<UpstreamOutcome> {
    let repeatsLeft = order.repeats;
    let last: UpstreamRefusal | undefined;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const credential = await pick(order.route);
      const outcome = isRefusal(credential) ? { refusal: exhausted(credential, last) } : await attempt(order, credential, signal);
      if (!('refusal' in outcome)) return outcome;
      last = outcome.refusal;
      if (!isRefusal(credential) && credential !== null && (await reportCredential(credential, last))) continue;
      const waitMs = repeatWait(last);
      if (waitMs === undefined || repeatsLeft === 0) break;
      repeatsLeft -= 1;
      await sleep(waitMs, signal);
    }
    return { refusal: last ?? sparedRefusal(0) };
  }
  return { send };
}

const isRefusal = (value: Credential | null | UpstreamRefusal): value is UpstreamRefusal => value !== null && 'failure' in value;

const jitter = (random: number): number => JITTER_MS.min + random * (JITTER_MS.max - JITTER_MS.min);

const originOf = ({ endpoint }: ResolvedRoute): string => new URL(endpoint).origin;

/** What the upstream said of the last credential tells more than an empty pool. */
const exhausted = (pool: UpstreamRefusal, last: UpstreamRefusal | undefined): UpstreamRefusal =>
  last === undefined || last.failure.class === 'rate_limited' ? { ...pool, reason: last?.reason ?? pool.reason } : last;

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

/** A shorter credential is a placeholder of a server without keys (`ollama`, `lm-studio`): a word of honest answers, which stays. */
const SHORTEST_SECRET = 16;

/** Nobody reads what an upstream says before its own credential is out of it (REV-39). */
function guarded(response: HttpResponse, credential: Credential | null): HttpResponse {
  if (credential === null || (isSuccess(response) && credential.secret.length < SHORTEST_SECRET)) return response;
  return { ...response, body: withoutSecret(response.body, credential.secret) };
}

async function replyOf({ status, headers, body }: HttpResponse): Promise<UpstreamReply> {
  return { status, headers, body: await readErrorText(body) };
}
