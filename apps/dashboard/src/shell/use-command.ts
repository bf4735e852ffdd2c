/**
 * A write that waits for its event: nothing is shown as done before the feed has brought it. A repeat after a failure keeps its key, so the
 * server does it once.
 */
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { type ApiWrite, newKey, writeApi } from '../api/call-api.ts';
import type { Accepted } from '../api/resources.ts';
import { useLive } from './live.tsx';

export type CommandState = 'ready' | 'sending' | 'done' | 'late' | 'failed';

export interface Command {
  readonly state: CommandState;
  readonly error: unknown;
  send(write: Omit<ApiWrite, 'key'>): void;
}

/** @param onDone when its event is there */
export function useCommand(onDone?: () => void): Command {
  const { passed } = useLive();
  const key = useRef<string | null>(null);
  const mutation = useMutation({
    mutationFn: async (write: Omit<ApiWrite, 'key'>): Promise<'done' | 'late'> => {
      key.current ??= newKey();
      const accepted = await writeApi<Accepted | null>({ ...write, key: key.current });
      key.current = null;
      const position = accepted?.position ?? null;
      return position === null || (await passed(position)) ? 'done' : 'late';
    },
    onSuccess: state => {
      if (state === 'done') onDone?.();
    },
  });
  const state = mutation.isPending ? 'sending' : mutation.isError ? 'failed' : (mutation.data ?? 'ready');
  return { state, error: mutation.error, send: write => mutation.mutate(write) };
}
