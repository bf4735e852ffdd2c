/** What the forges sent, as it is kept; an administrator may take one once more. */
import { useQuery } from '@tanstack/react-query';
import { type JSX, type ReactNode } from 'react';
import type { CursorPage, DeliveryRow } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { age } from '../format/time.ts';
import { agree, counted } from '../format/words.ts';
import { CommandButton } from '../marks/command-button.tsx';
import { ACTIONS, type Column, DataTable } from '../marks/data-table.tsx';
import { Card, Page } from '../marks/page.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Answered, Empty } from '../marks/states.tsx';
import { useNow } from '../shell/now.ts';
import { useIsAdmin } from '../shell/session.tsx';
import { useCommand } from '../shell/use-command.ts';

function Replay({ id }: { readonly id: string }): JSX.Element {
  const { state, error, send } = useCommand();
  return (
    <CommandButton state={state} error={error} onClick={() => send({ method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/replay` })}>
      {state === 'done' ? 'Taken again' : 'Take again'}
    </CommandButton>
  );
}

const columns = (now: number, isAdmin: boolean): readonly Column<DeliveryRow>[] => [
  { title: 'State', cell: ({ problem }) => <StatePill tone={problem === null ? 'ok' : 'bad'} label={problem === null ? 'Understood' : 'Not understood'} /> },
  { title: 'Delivery', kind: 'fill', cell: ({ id }) => <span className="mono">{id}</span> },
  { title: 'Why not', kind: 'wrap', cell: ({ problem }) => <span className="ink2">{problem}</span> },
  { title: 'Arrived', kind: 'right', cell: ({ arrivedAt }) => `${age(Date.parse(arrivedAt), now)} ago` },
  { title: ACTIONS, cell: ({ id }) => isAdmin && <Replay id={id} /> },
];

function sentence(rows: readonly DeliveryRow[] | undefined): ReactNode {
  if (rows === undefined) return 'Reading the deliveries…';
  const odd = rows.filter(({ problem }) => problem !== null).length;
  return (
    <>
      <b>
        {counted(rows.length, 'signed delivery', 'signed deliveries')} {agree(rows.length, 'is', 'are')} kept.
      </b>{' '}
      {odd === 0 ? 'An event was made of each.' : `Of ${odd} no event could be made.`} Taking one again does what it did the first time, once more.
    </>
  );
}

export function Screen(): JSX.Element {
  const query = useQuery(read<CursorPage<DeliveryRow>>('/deliveries'));
  const now = useNow();
  const isAdmin = useIsAdmin();
  return (
    <Page title="Deliveries" sentence={sentence(query.data?.items)}>
      <Answered query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No delivery has arrived.">Open a pull request in a registered repository, or send a test from the webhook's page on the forge.</Empty>
          ) : (
            <Card title="Newest first" aside={counted(items.length, 'delivery', 'deliveries')}>
              <DataTable label="Deliveries" columns={columns(now, isAdmin)} rows={items} rowKey={({ id }) => id} />
            </Card>
          )
        }
      </Answered>
    </Page>
  );
}
