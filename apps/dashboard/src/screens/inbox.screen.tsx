/** Home: what needs a person, what stands still for it, and by when. A row goes when its cause is mended; what has happened and cannot be mended may be acknowledged. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { Inbox, InboxRow } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { age } from '../format/time.ts';
import { agree, counted } from '../format/words.ts';
import { CommandButton } from '../marks/command-button.tsx';
import { ACTIONS, type Column, DataTable } from '../marks/data-table.tsx';
import { Card, Page } from '../marks/page.tsx';
import { Answered, Empty } from '../marks/states.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { useListKeys } from '../shell/list-keys.ts';
import { useNow } from '../shell/now.ts';
import { useIsAdmin } from '../shell/session.tsx';
import { useCommand } from '../shell/use-command.ts';
import { useGoTo } from '../shell/use-go-to.ts';
import { byUrgency } from './by-urgency.ts';

const what = (row: InboxRow): ReactNode => (
  <>
    <span className="strong">{row.sentence}</span> <span className="ink2">{row.action}</span>
  </>
);

function Acknowledge({ row: { code, subject } }: { readonly row: InboxRow }): JSX.Element {
  const { state, error, send } = useCommand();
  return (
    <CommandButton state={state} error={error} onClick={() => send({ method: 'POST', path: '/inbox/acknowledge', body: { code, subject } })}>
      Acknowledge
    </CommandButton>
  );
}

const columns = (now: number, isAdmin: boolean): readonly Column<InboxRow>[] => [
  { title: 'State', cell: row => <StatePill tone={row.blocking ? 'bad' : 'wait'} label={row.blocking ? 'Stands still' : 'Needs you'} /> },
  { title: 'What, and what to do', kind: 'wrap', cell: what },
  { title: 'About', cell: row => <span className="mono ink3">{row.code}</span> },
  { title: 'Since', kind: 'right', cell: row => (row.since === null ? <span className="ink3">–</span> : age(Date.parse(row.since), now)) },
  { title: 'Until', kind: 'right', cell: row => (row.deadline === null ? <span className="ink3">no deadline</span> : age(now, Date.parse(row.deadline))) },
  {
    title: ACTIONS,
    cell: row => (
      <>
        {isAdmin && row.acknowledgeable && <Acknowledge row={row} />} {row.link !== null && <Link to={row.link}>Open</Link>}
      </>
    ),
  },
];

function Rows({ items }: { readonly items: readonly InboxRow[] }): JSX.Element {
  const now = useNow();
  const goTo = useGoTo();
  const rows = byUrgency(items);
  const { index } = useListKeys(rows.length, at => {
    const link = rows[at]?.link;
    if (link) goTo(link);
  });
  return (
    <Card title="What needs a person" aside="oldest deadline first">
      <DataTable label="Inbox" columns={columns(now, useIsAdmin())} rows={rows} rowKey={row => `${row.code} ${row.subject}`} chosen={index} />
    </Card>
  );
}

function sentence(items: readonly InboxRow[] | undefined): ReactNode {
  if (items === undefined) return 'Reading what needs you…';
  if (items.length === 0) return <b>Nothing needs you.</b>;
  const blocking = items.filter(row => row.blocking).length;
  return (
    <>
      <b>
        {counted(items.length, 'thing')} {agree(items.length, 'needs', 'need')} you.
      </b>{' '}
      {blocking === 0 ? 'No work stands still for it.' : `Work stands still for ${blocking} of them.`} A row goes by itself when its cause is mended.
    </>
  );
}

export function Screen(): JSX.Element {
  const inbox = useQuery(read<Inbox>('/inbox'));
  return (
    <Page title="Inbox" sentence={sentence(inbox.data?.items)}>
      <Answered query={inbox}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing needs you.">Reviews that run are under Reviews; what happened is under Events.</Empty>
          ) : (
            <Rows items={items} />
          )
        }
      </Answered>
    </Page>
  );
}
