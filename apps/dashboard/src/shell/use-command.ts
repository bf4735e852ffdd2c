/**
 * A write that waits for its event: nothing is shown as done before the feed has brought it. A repeat after a failure keeps its key, so the
 * server does it once.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type ApiWrite, newKey, writeApi } from '../api/call-api.ts';
import type { Accepted } from '../api/resources.ts';
import { useLive } from './live.tsx';

export type CommandState = 'ready' | 'sending' | 'done' | 'late' | 'failed';

/** Every answer to a write names the position of its event; null where it writes none. */
type Answered = Pick<Accepted, 'position'>;

export interface Command<Answer extends Answered> {
  readonly state: CommandState;
  /** Of the last write that was accepted. */
  readonly answer: Answer | undefined;
  readonly error: unknown;
  send(write: Omit<ApiWrite, 'key'>): void;
}

/** @param onDone when its event is there */
export function useCommand<Answer extends Answered = Accepted>(onDone?: () => void): Command<Answer> {
  const { passed } = useLive();
  const client = useQueryClient();
  const key = useRef<string | null>(null);
  const mutation = useMutation({
    mutationFn: async (write: Omit<ApiWrite, 'key'>): Promise<{ readonly state: 'done' | 'late'; readonly answer: Answer }> => {
      key.current ??= newKey();
      const answer = await writeApi<Answer>({ ...write, key: key.current });
      key.current = null;
      const isThere = answer.position === null || (await passed(answer.position));
      return { state: isThere ? 'done' : 'late', answer };
    },
    onSuccess: ({ state, answer }) => {
      // No event tells what it has changed.
      if (answer.position === null) void client.invalidateQueries();
      if (state === 'done') onDone?.();
    },
  });
  const state = mutation.isPending ? 'sending' : mutation.isError ? 'failed' : (mutation.data?.state ?? 'ready');
  return { state, answer: mutation.data?.answer, error: mutation.error, send: write => mutation.mutate(write) };
}
