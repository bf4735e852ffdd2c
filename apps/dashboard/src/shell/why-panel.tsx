/** The why of a figure: its value, and the events and calls that it folds, page by page. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { apiPath, readApi } from '../api/call-api.ts';
import type { WhyAnswer } from '../api/resources.ts';
import { counted } from '../format/words.ts';
import { ChargeList } from '../marks/charge-list.tsx';
import { EventRow } from '../marks/event-row.tsx';
import { MoreRows } from '../marks/list-states.tsx';
import { Failure, Loading } from '../marks/states.tsx';
import { Panel } from '../ui/index.ts';
import { figureText, readWhy, type WhyPlace } from './read-why.ts';
import { without } from './without.ts';

const PAGE = 200;

function WhyBody({ place: { path, figure } }: { readonly place: WhyPlace }): JSX.Element {
  const query = useInfiniteQuery({
    queryKey: [path.split('/')[1] ?? '', apiPath(path, { figure }), 'pages'],
    queryFn: ({ pageParam, signal }) => readApi<WhyAnswer>(path, { query: { figure, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  });
  if (query.isPending) return <Loading rows={4} />;
  const pages = query.data?.pages ?? [];
  const [first] = pages;
  if (first === undefined) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  const [events, charges] = [pages.flatMap(page => page.events), pages.flatMap(page => page.charges)];
  return (
    <div className="stack">
      <p>
        <b>{figureText(figure, first.value)}</b> · {first.sentence}
      </p>
      {events.length > 0 && (
        <section>
          <h3 className="why-head">{counted(events.length, 'event')}</h3>
          <ol>
            {events.map(event => (
              <EventRow key={event.position} at={event.at} type={event.type} summary={event.summary} />
            ))}
          </ol>
        </section>
      )}
      {charges.length > 0 && (
        <section>
          <h3 className="why-head">{counted(charges.length, 'call')}</h3>
          <ChargeList charges={charges} />
        </section>
      )}
      {events.length + charges.length === 0 && <p className="ink2">Nothing has happened that it counts.</p>}
      <MoreRows more={query.hasNextPage ? { busy: query.isFetchingNextPage, load: () => void query.fetchNextPage() } : null} />
    </div>
  );
}

export function WhyPanel(): JSX.Element {
  const navigate = useNavigate();
  const { why } = useSearch({ strict: false });
  const place = why === undefined ? null : readWhy(why);
  const close = (): void => void navigate({ to: '.', search: before => without(before, 'why') });
  return (
    <Panel title={place === null ? 'Why' : `Why: ${place.figure.replaceAll(/[_.]/gu, ' ')}`} opened={place !== null} onClose={close}>
      {place !== null && <WhyBody place={place} />}
    </Panel>
  );
}
