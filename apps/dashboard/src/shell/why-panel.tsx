/** The why of a figure: its value, and the events and calls that it folds. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { WhyAnswer } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { counted } from '../format/words.ts';
import { ChargeList } from '../marks/charge-list.tsx';
import { EventRow } from '../marks/event-row.tsx';
import { Answered } from '../marks/states.tsx';
import { Panel } from '../ui/index.ts';
import { readWhy, type WhyPlace } from './read-why.ts';
import { without } from './without.ts';

function WhyBody({ place }: { readonly place: WhyPlace }): JSX.Element {
  const query = useQuery(read<WhyAnswer>(place.path, { figure: place.figure }));
  return (
    <Answered query={query}>
      {({ value, sentence, events, charges }) => (
        <div className="stack">
          <p>
            <b>{value === null ? 'unknown' : String(value)}</b> · {sentence}
          </p>
          <section>
            <h3 className="why-head">{counted(events.length, 'event')}</h3>
            <ol>
              {events.map(event => (
                <EventRow key={event.position} {...event} />
              ))}
            </ol>
          </section>
          {charges.length > 0 && (
            <section>
              <h3 className="why-head">{counted(charges.length, 'call')}</h3>
              <ChargeList charges={charges} />
            </section>
          )}
        </div>
      )}
    </Answered>
  );
}

export function WhyPanel(): JSX.Element {
  const navigate = useNavigate();
  const { why } = useSearch({ strict: false });
  const place = why === undefined ? null : readWhy(why);
  const close = (): void => void navigate({ to: '.', search: before => without(before, 'why') });
  return (
    <Panel title={place === null ? 'Why' : `Why ${place.figure.replaceAll(/[_.]/gu, ' ')}`} opened={place !== null} onClose={close}>
      {place !== null && <WhyBody place={place} />}
    </Panel>
  );
}
