/** Whether the page is live; when the feed is cut, for how long what is shown may be old. */
import type { JSX } from 'react';
import type { FeedState } from '../api/feed.ts';
import { useNow } from './now.ts';

export function LiveDot({ state }: { readonly state: FeedState }): JSX.Element {
  const now = useNow(1_000);
  if (state.live)
    return (
      <span className="live" data-state="live" role="status">
        live
      </span>
    );
  const behind = Math.max(0, Math.round((now - state.seenAt) / 1000));
  return (
    <span className="live" data-state="behind" title="The feed is cut. This page tries to join it again by itself.">
      behind {behind} s
    </span>
  );
}
