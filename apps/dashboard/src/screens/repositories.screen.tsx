/** Is each repository wired, and under what bounds? */
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { RepositoryRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { age } from '../format/time.ts';
import { agree, counted } from '../format/words.ts';
import { ACTIONS, type Column, DataTable } from '../marks/data-table.tsx';
import { Listed } from '../marks/list-states.tsx';
import { Card, Page } from '../marks/page.tsx';
import { Signal } from '../marks/signal.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Empty } from '../marks/states.tsx';
import { useNow } from '../shell/now.ts';
import { useIsAdmin } from '../shell/session.tsx';
import { RulesButton } from './rules-button.tsx';

const columns = (now: number, isAdmin: boolean): readonly Column<RepositoryRow>[] => [
  {
    title: 'Webhook',
    cell: ({ webhookSeenAt }) =>
      webhookSeenAt === null ? <StatePill tone="wait" label="Never seen" /> : <StatePill tone="ok" label={`Seen ${age(Date.parse(webhookSeenAt), now)} ago`} />,
  },
  {
    title: 'Repository',
    kind: 'fill',
    cell: ({ path, forge }) => (
      <>
        <Link className="row-link" to="/reviews" search={{ repository: path }}>
          {path}
        </Link>{' '}
        <span className="mono ink3">{forge}</span>
      </>
    ),
  },
  {
    title: 'Reviewer',
    cell: ({ reviewer, factory }) => (
      <span className="mono">
        {reviewer}
        {factory !== null && ` · ${factory}`}
      </span>
    ),
  },
  {
    title: 'Bounds',
    cell: ({ observe, reviewDrafts, blockOn }) =>
      [
        observe ? 'observed, nothing posted' : 'posts',
        blockOn === null ? 'never blocks' : `blocks on ${blockOn}`,
        ...(reviewDrafts ? ['drafts too'] : []),
      ].join(' · '),
  },
  { title: 'Acted on', kind: 'right', cell: ({ signal }) => <Signal signal={signal} /> },
  { title: ACTIONS, cell: row => isAdmin && <RulesButton repository={row} /> },
];

function sentence(rows: readonly RepositoryRow[] | undefined): ReactNode {
  if (rows === undefined) return 'Reading the repositories…';
  const silent = rows.filter(row => row.webhookSeenAt === null).length;
  return (
    <>
      <b>
        {counted(rows.length, 'repository', 'repositories')} {agree(rows.length, 'is', 'are')} registered.
      </b>{' '}
      {silent === 0
        ? 'Each has sent a signed delivery.'
        : `${silent} of them ${agree(silent, 'has', 'have')} never sent a delivery: look at the webhook on the forge.`}
    </>
  );
}

export function Screen(): JSX.Element {
  const pages = usePages<RepositoryRow>('/repositories');
  const now = useNow();
  const isAdmin = useIsAdmin();
  return (
    <Page title="Repositories" sentence={sentence(pages.rows)}>
      <Listed
        pages={pages}
        empty={
          <Empty title="No repository is registered.">
            On the machine of the server: <span className="mono">weir repo add &lt;address&gt;</span>. It registers the webhook, or prints what to paste.
          </Empty>
        }
      >
        {items => (
          <Card title="Registered" aside={counted(items.length, 'repository', 'repositories')}>
            <DataTable label="Repositories" columns={columns(now, isAdmin)} rows={items} rowKey={({ id }) => id} />
          </Card>
        )}
      </Listed>
    </Page>
  );
}
