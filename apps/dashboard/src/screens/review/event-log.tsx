/** The review's own stream of events: why it says what it says. */
import type { JSX } from 'react';
import type { EventRow as Event } from '../../api/resources.ts';
import { usePages } from '../../api/use-pages.ts';
import { EventRow } from '../../marks/event-row.tsx';
import { Listed } from '../../marks/list-states.tsx';
import { Card } from '../../marks/page.tsx';
import { Empty } from '../../marks/states.tsx';

export function EventLog({ reviewId }: { readonly reviewId: string }): JSX.Element {
  const pages = usePages<Event>(`/reviews/${reviewId}/events`);
  return (
    <div>
      <Listed pages={pages} empty={<Empty title="No event yet.">Events come with the first round.</Empty>}>
        {events => (
          <Card title="Why this review says so" aside={`event log · ${events.length}${pages.more === null ? '' : '+'}`}>
            <ol>
              {events.map(event => (
                <EventRow key={event.id} at={event.at} type={event.type} summary={event.summary} />
              ))}
            </ol>
          </Card>
        )}
      </Listed>
    </div>
  );
}
