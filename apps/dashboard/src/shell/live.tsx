/** The feed, shared by all pages: its state, and how a button waits for its event. */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type JSX, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { type FeedState, openFeed } from '../api/feed.ts';
import { createArrivals } from '../api/arrivals.ts';
import { createRenewal } from '../api/renewal.ts';

interface Live {
  readonly state: FeedState;
  /** Resolves when the feed has passed the position, or with false when it did not in time. */
  readonly passed: (position: string) => Promise<boolean>;
}

const LiveContext = createContext<Live | null>(null);

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('The page stands outside of LiveProvider.');
  return live;
}

export function LiveProvider({ children }: { readonly children: ReactNode }): JSX.Element {
  const client = useQueryClient();
  const [state, setState] = useState<FeedState>(() => ({ live: false, seenAt: Date.now() }));
  const arrivals = useMemo(() => createArrivals(), []);
  useEffect(() => {
    const renewal = createRenewal(key => void client.invalidateQueries({ queryKey: key }));
    const close = openFeed({
      onState: next => setState(before => (before.live && next.live ? before : next)),
      onLive: () => renewal.all(),
      onRefused: () => void client.invalidateQueries({ queryKey: ['session'] }),
      onEvent: event => {
        arrivals.arrived(event.id);
        renewal.after(event);
      },
    });
    return () => {
      close();
      renewal.stop();
    };
  }, [client, arrivals]);
  const live = useMemo(() => ({ state, passed: arrivals.passed }), [state, arrivals]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
