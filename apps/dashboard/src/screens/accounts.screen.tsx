/** Who acts for Weir at the forges: identity, role, scopes as they were observed. A credential is never shown. */
import type { JSX, ReactNode } from 'react';
import type { AccountRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { age } from '../format/time.ts';
import { agree, counted } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { AdministratorsOnly, Listed } from '../marks/list-states.tsx';
import { Card, Page } from '../marks/page.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Empty } from '../marks/states.tsx';
import { useNow } from '../shell/now.ts';
import { useIsAdmin } from '../shell/session.tsx';

const columns = (now: number): readonly Column<AccountRow>[] => [
  { title: 'State', cell: ({ state }) => <StatePill tone={state === 'active' ? 'ok' : 'bad'} label={state === 'active' ? 'Active' : 'Rejected'} /> },
  { title: 'Account', cell: ({ login }) => <span className="strong">{login}</span> },
  { title: 'Role', cell: ({ role }) => role },
  {
    title: 'Forge',
    cell: ({ forge, origin }) => (
      <>
        {forge} <span className="mono ink3">{origin}</span>
      </>
    ),
  },
  {
    title: 'Scopes',
    kind: 'wrap',
    cell: ({ scopes }) => (scopes === null ? <span className="tone-unknown">the token tells none</span> : <span className="mono">{scopes.join(' ')}</span>),
  },
  {
    title: 'Advice',
    kind: 'wrap',
    cell: ({ advice }) => (advice.length === 0 ? <span className="ink3">none</span> : <span className="tone-wait">{advice.join(' ')}</span>),
  },
  { title: 'Observed', kind: 'right', cell: ({ observedAt }) => `${age(Date.parse(observedAt), now)} ago` },
];

function sentence(rows: readonly AccountRow[] | undefined): ReactNode {
  if (rows === undefined) return 'Reading the accounts…';
  const rejected = rows.filter(row => row.state === 'rejected').length;
  return (
    <>
      <b>
        {counted(rows.length, 'account')} {agree(rows.length, 'acts', 'act')} for Weir.
      </b>{' '}
      {rejected === 0 ? 'None was rejected by its forge.' : `${rejected} ${agree(rejected, 'was', 'were')} rejected: replace the credential.`}
    </>
  );
}

export function Screen(): JSX.Element {
  const isAdmin = useIsAdmin();
  const pages = usePages<AccountRow>('/accounts', { enabled: isAdmin });
  const now = useNow();
  if (!isAdmin) return <AdministratorsOnly title="Accounts" />;
  return (
    <Page title="Accounts" sentence={sentence(pages.rows)}>
      <Listed
        pages={pages}
        empty={
          <Empty title="No account.">
            On the machine of the server: <span className="mono">weir account add</span>. It asks the forge who the account is, and what it may.
          </Empty>
        }
      >
        {items => (
          <Card title="Machine accounts" aside={counted(items.length, 'account')}>
            <DataTable label="Accounts" columns={columns(now)} rows={items} rowKey={({ id }) => id} />
          </Card>
        )}
      </Listed>
    </Page>
  );
}
