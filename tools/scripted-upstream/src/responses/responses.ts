/** The Responses protocol of the scripted upstream. */
import type { Protocol } from '../protocol.ts';
import { readResponses } from './read.ts';
import { responseEvents, wholeResponse } from './reply.ts';

const failure = (status: number, message: string, code: string | null) => ({
  error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param: null, code },
});

export const responses: Protocol = {
  name: 'responses',
  path: '/v1/responses',
  callPrefix: 'call',
  counts: ({ wantsReasoning }) => ({ cacheWrites: false, reasoned: wantsReasoning }),
  read: readResponses,
  whole: wholeResponse,
  events: responseEvents,
  failure,
  failureEvent: message => ({ name: 'error', data: JSON.stringify({ type: 'error', code: 'server_error', message, param: null, sequence_number: 1 }) }),
};
