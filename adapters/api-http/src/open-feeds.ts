/** The feeds that are open in this process: bounded in number, and ended at a sign-out and when the server stops. */
import { AppError } from '@weir/kernel';
import type { ApiCall, ApiFeed } from '@weir/ports';
import type { FastifyReply } from 'fastify';
import type { Caller } from './caller.ts';
import { sendFeed } from './send-feed.ts';

const MAX_FEEDS = 500;

interface Feed {
  readonly feed: ApiFeed;
  readonly call: ApiCall;
  readonly caller: Caller;
}

export interface OpenFeeds {
  /** Resolves when the feed has ended. Throws AppError TOO_MANY_REQUESTS. */
  open(reply: FastifyReply, feed: Feed): Promise<FastifyReply>;
  /** Those of one session. */
  endOf(secret: string): void;
  endAll(): void;
}

export function createOpenFeeds(heartbeatMs: number, onBug: (error: unknown) => void): OpenFeeds {
  const open = new Map<AbortController, string | null>();
  return {
    async open(reply, { feed, call, caller }) {
      if (open.size >= MAX_FEEDS) throw new AppError('TOO_MANY_REQUESTS', 'There are too many open feeds.');
      const end = new AbortController();
      open.set(end, caller.secret);
      const signal = AbortSignal.any([call.signal, end.signal]);
      const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
      void reply.hijack();
      try {
        await sendFeed(reply.raw, { messages: feed({ ...call, signal }), headers, signal, heartbeatMs, holds: caller.holds });
      } catch (error) {
        onBug(error);
      } finally {
        open.delete(end);
      }
      return reply;
    },
    endOf(secret) {
      for (const [end, one] of open) if (one === secret) end.abort();
    },
    endAll() {
      for (const end of open.keys()) end.abort();
    },
  };
}
