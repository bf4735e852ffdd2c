/** What could not be processed, and why; an administrator sends it again when the cause is mended, or drops it. */
import { type JSX, type ReactNode } from 'react';
import type { DeadLetterRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { age } from '../format/time.ts';
import { agree, counted } from '../format/words.ts';
import { CommandButton } from '../marks/command-button.tsx';
import { ACTIONS, type Column, DataTable } from '../marks/data-table.tsx';
import { AdministratorsOnly, Listed } from '../marks/list-states.tsx';
import { Card, Page } from '../marks/page.tsx';
import { Empty } from '../marks/states.tsx';
import { useNow } from '../shell/now.ts';
import { useIsAdmin } from '../shell/session.tsx';
import { useCommand } from '../shell/use-command.ts';

function Commands({ id }: { readonly id: string }): JSX.Element {
  const replay = useCommand();
  const drop = useCommand();
  const at = `/dead-letters/${encodeURIComponent(id)}`;
  return (
    <span className="bar row-bar">
      <CommandButton state={replay.state} error={replay.error} onClick={() => replay.send({ method: 'POST', path: `${at}/replay` })}>
        {replay.state === 'done' ? 'Sent again' : 'Send again'}
      </CommandButton>
      <CommandButton state={drop.state} error={drop.error} onClick={() => drop.send({ method: 'POST', path: `${at}/drop` })}>
        {drop.state === 'done' ? 'Dropped' : 'Drop'}
      </CommandButton>
    </span>
  );
}

const columns = (now: number): readonly Column<DeadLetterRow>[] => [
  { title: 'Message', cell: ({ type }) => <span className="mono strong">{type}</span> },
  { title: 'Given up by', cell: ({ group, origin }) => `${group} (${origin})` },
  { title: 'Last failure', kind: 'wrap', cell: ({ failure }) => failure },
  { title: 'Attempts', kind: 'right', cell: ({ attempts }) => attempts },
  { title: 'Since', kind: 'right', cell: ({ diedAt }) => age(Date.parse(diedAt), now) },
  { title: ACTIONS, cell: ({ id }) => <Commands id={id} /> },
];

function sentence(rows: readonly DeadLetterRow[] | undefined): ReactNode {
  if (rows === undefined) return 'Reading the dead letters…';
  if (rows.length === 0) return <b>Every message has been processed.</b>;
  return (
    <>
      <b>
        {counted(rows.length, 'message')} could not be processed and {agree(rows.length, 'waits', 'wait')} here.
      </b>{' '}
      Mend the cause, then send {agree(rows.length, 'it', 'them')} again: nothing is done twice.
    </>
  );
}

export function Screen(): JSX.Element {
  const isAdmin = useIsAdmin();
  const pages = usePages<DeadLetterRow>('/dead-letters', { enabled: isAdmin });
  const now = useNow();
  if (!isAdmin) return <AdministratorsOnly title="Dead letters" />;
  return (
    <Page title="Dead letters" sentence={sentence(pages.rows)}>
      <Listed pages={pages} empty={<Empty title="No dead letters.">A message comes here when its attempts are spent; the inbox then says so.</Empty>}>
        {items => (
          <Card title="Newest first" aside={counted(items.length, 'message')}>
            <DataTable label="Dead letters" columns={columns(now)} rows={items} rowKey={({ id }) => id} />
          </Card>
        )}
      </Listed>
    </Page>
  );
}
