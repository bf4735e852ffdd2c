/**
 * Asks a provider for the token of an app's installation. It is a credential and not a call: it leaves no receipt, and its
 * answer goes nowhere but into the credential cache.
 */
import type { ProviderDescriptor } from '@weir/contract';
import type { MintToken } from './credentials/app-credential.ts';
import { writeCredential } from './credentials/header-schemes.ts';
import type { CallPlanner } from './plan-call.ts';
import { failed, failureOf } from './provider-failure.ts';
import { classifyResponse } from '@weir/operation-table';
import type { SendRequest } from './send-request.ts';

const MINT = 'POST /app/installations/{installation_id}/access_tokens';

export interface MintParts {
  readonly auth: ProviderDescriptor['auth'];
  readonly planner: CallPlanner;
  readonly send: SendRequest;
  readonly installationId: number;
  readonly now: () => number;
}

export const createMint =
  ({ auth, planner, send, installationId, now }: MintParts): MintToken =>
  async jwt => {
    const row = planner.find(MINT);
    const planned = row.ok ? planner.plan(row.value, { installation_id: installationId }) : row;
    if (!planned.ok) return planned;
    const credential = writeCredential({ ...auth, scheme: 'app' }, jwt, 'app');
    const sent = await send(planned.value.request, credential, new AbortController().signal);
    if (!sent.ok) return sent;
    const { status, headers, text, truncated } = sent.value;
    const outcome = classifyResponse(planned.value.row, { status, headers, bodyText: text, truncated, nowMs: now() });
    if (outcome.kind === 'ok') return readToken(outcome.value);
    if (outcome.kind === 'redirect' || outcome.kind === 'not-modified') return failed('Unavailable', 'the provider gives no installation token');
    if (outcome.kind === 'NotFound') {
      const hint = 'Install the app again, then look again: weir account check.';
      return failed('Unauthorized', `the app has no installation ${installationId} any more`, { hint });
    }
    return { ok: false, failure: failureOf(outcome) };
  };

function readToken(value: unknown): Awaited<ReturnType<MintToken>> {
  const { token, expires_at: end } = (value ?? {}) as { readonly token?: unknown; readonly expires_at?: unknown };
  const expiresAt = typeof end === 'string' ? Date.parse(end) : Number.NaN;
  if (typeof token !== 'string' || token === '' || Number.isNaN(expiresAt)) return failed('Unavailable', 'the provider gives no installation token');
  return { ok: true, value: { token, expiresAt } };
}
