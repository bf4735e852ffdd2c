/** What the forges sent, as it is kept; an administrator may take one once more. */
import { type JSX, type ReactNode } from 'react';
import type { DeliveryRow, Replayed } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { age } from '../format/time.ts';
import { agree, counted } from '../format/words.ts';
import { CommandButton } from '../marks/command-button.tsx';
import { ACTIONS, type Column, DataTable } from '../marks/data-table.tsx';
import { AdministratorsOnly, Listed } from '../marks/list-states.tsx';
import { Card, Page } from '../marks/page.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Empty } from '../marks/states.tsx';
import { useNow } from '../shell/now.ts';
import { useIsAdmin } from '../shell/session.tsx';
import { useCommand } from '../shell/use-command.ts';

/** What became of it, in the words of a person who waits for it. */
const OUTCOMES: Readonly<Record<Replayed['outcome'], string>> = {
  stored: 'Taken again',
  repeated: 'It stands already',
  ignored: 'Nothing follows from it',
  unregistered: 'Its repository is not registered',
  unreadable: 'It cannot be read',
};

function Replay({ id }: { readonly id: string }): JSX.Element {
  const { state, answer, error, send } = useCommand<Replayed>();
  return (
    <>
      <CommandButton state={state} error={error} onClick={() => send({ method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/replay` })}>
        Take again
      </CommandButton>
      {answer !== undefined && <span title={answer.reason ?? undefined}>{OUTCOMES[answer.outcome]}</span>}
    </>
  );
}

const columns = (now: number): readonly Column<DeliveryRow>[] => [
  { title: 'State', cell: ({ problem }) => <StatePill tone={problem === null ? 'ok' : 'bad'} label={problem === null ? 'Understood' : 'Not understood'} /> },
  { title: 'Delivery', kind: 'fill', cell: ({ id }) => <span className="mono">{id}</span> },
  { title: 'Why not', kind: 'wrap', cell: ({ problem }) => <span className="ink2">{problem}</span> },
  { title: 'Arrived', kind: 'right', cell: ({ arrivedAt }) => `${age(Date.parse(arrivedAt), now)} ago` },
  { title: ACTIONS, cell: ({ id }) => <Replay id={id} /> },
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
  const isAdmin = useIsAdmin();
  const pages = usePages<DeliveryRow>('/deliveries', { enabled: isAdmin });
  const now = useNow();
  if (!isAdmin) return <AdministratorsOnly title="Deliveries" />;
  return (
    <Page title="Deliveries" sentence={sentence(pages.rows)}>
      <Listed
        pages={pages}
        empty={
          <Empty title="No delivery has arrived.">Open a pull request in a registered repository, or send a test from the webhook's page on the forge.</Empty>
        }
      >
        {items => (
          <Card title="Newest first" aside={counted(items.length, 'delivery', 'deliveries')}>
            <DataTable label="Deliveries" columns={columns(now)} rows={items} rowKey={({ id }) => id} />
          </Card>
        )}
      </Listed>
    </Page>
  );
}
