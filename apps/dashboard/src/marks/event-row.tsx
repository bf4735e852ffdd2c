/** One event on its line of time: when, what, and the facts in a few words. */
import type { JSX, ReactNode } from 'react';
import { clock, day } from '../format/time.ts';

interface EventRowProps {
  readonly at: string;
  readonly type: string;
  readonly summary: string;
  readonly aside?: ReactNode;
}

export function EventRow({ at, type, summary, aside }: EventRowProps): JSX.Element {
  return (
    <li className="event">
      <time className="mono ink3" dateTime={at} title={day(at)}>
        {clock(at)}
      </time>
      <span className="dot" />
      <span className="said">
        <span className="mono">{type}</span> <span className="ink3">{summary}</span>
      </span>
      <span className="mono ink3">{aside}</span>
    </li>
  );
}
