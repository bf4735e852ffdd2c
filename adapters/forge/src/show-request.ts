/**
 * A planned call as it would be sent, for people: its credential is never there, only the place where it would stand.
 */
import { REDACTED } from '@weir/redaction';
import type { Verdict } from './judge-call.ts';
import type { PlannedCall } from './plan-call.ts';

export interface ShownRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as it is; text; `[n bytes]` for anything else; null for none. */
  readonly body: unknown;
  readonly mutates: boolean;
  readonly policy: Verdict;
}

export const showRequest = ({ operation, mutates, request }: PlannedCall, policy: Verdict, credentialHeader: string | undefined): ShownRequest => ({
  ...{ operation, method: request.method, url: request.url },
  headers: { ...request.headers, ...(credentialHeader === undefined ? {} : { [credentialHeader]: REDACTED }) },
  ...{ body: shownBody(request.body), mutates, policy },
});

function shownBody(body: PlannedCall['request']['body']): unknown {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
    case 'form':
    case 'text':
      return body.value;
    case 'binary':
      return typeof body.value === 'string' ? body.value : `[${body.value.byteLength} bytes]`;
    case 'multipart':
      return body.value.map(chunk => (typeof chunk === 'string' ? chunk : `[${chunk.byteLength} bytes]`)).join('');
  }
}
