/** The Chat Completions protocol of the scripted upstream. */
import type { Protocol } from '../protocol.ts';
import { readChat } from './read.ts';
import { completionChunks, wholeCompletion } from './reply.ts';

const failure = (status: number, message: string, code: string | null) => ({
  error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param: null, code },
});

export const chat: Protocol = {
  name: 'chat',
  path: '/v1/chat/completions',
  callPrefix: 'call',
  counts: ({ wantsReasoning }) => ({ cacheWrites: false, reasoned: wantsReasoning }),
  read: readChat,
  whole: wholeCompletion,
  events: completionChunks,
  failure,
  failureEvent: message => ({ name: null, data: JSON.stringify(failure(500, message, null)) }),
};
