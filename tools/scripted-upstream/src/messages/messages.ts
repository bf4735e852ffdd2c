/** The Messages protocol of the scripted upstream. */
import type { Protocol } from '../protocol.ts';
import { readMessages } from './read.ts';
import { messageEvents, wholeMessage } from './reply.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
const failure = (status: number, message: string) => ({
  type: 'error',
  error: { type: TYPES[status] ?? 'api_error', message },
  request_id: 'req_scripted',
});

export const messages: Protocol = {
  name: 'messages',
  path: '/v1/messages',
  callPrefix: 'toolu',
  counts: () => ({ cacheWrites: true, reasoned: false }),
  read: readMessages,
  whole: wholeMessage,
  events: messageEvents,
  failure,
  failureEvent: message => ({ name: 'error', data: JSON.stringify(failure(529, message)) }),
};
