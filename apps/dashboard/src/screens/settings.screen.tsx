/** Every option with its value and where it comes from; written from the table of options, so none is missing. */
import { type JSX, type ReactNode, useState } from 'react';
import type { SettingRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { counted } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { AdministratorsOnly, Listed } from '../marks/list-states.tsx';
import { Card, Page } from '../marks/page.tsx';
import { Empty } from '../marks/states.tsx';
import { useIsAdmin } from '../shell/session.tsx';
import { Field } from '../ui/index.ts';

function value({ value: text, isSet, secret }: SettingRow): ReactNode {
  if (secret) return <span className="ink3">{isSet ? 'set, hidden' : 'not set'}</span>;
  return text === null ? <span className="ink3">not set</span> : <span className="mono">{text}</span>;
}

const COLUMNS: readonly Column<SettingRow>[] = [
  {
    title: 'Option',
    cell: ({ name, env }) => (
      <span className="mono strong" title={env}>
        {name}
      </span>
    ),
  },
  { title: 'Value', kind: 'wrap', cell: value },
  { title: 'From', cell: ({ origin }) => <span className={origin === 'default' ? 'ink3' : undefined}>{origin}</span> },
  { title: 'Who may set it', cell: ({ scope }) => (scope === 'repository' ? 'operator; a repository narrows' : 'operator') },
  { title: 'What it does', kind: 'wrap', cell: ({ description }) => <span className="ink2">{description}</span> },
];

function List({ rows }: { readonly rows: readonly SettingRow[] }): JSX.Element {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const fitting = rows.filter(({ name, description, env }) => `${name} ${env} ${description}`.toLowerCase().includes(wanted));
  return (
    <>
      <div className="bar">
        <div className="search" data-search>
          <Field label="Search options" hideLabel placeholder="option, variable, word…" value={text} onChange={setText} />
        </div>
      </div>
      {fitting.length === 0 ? (
        <Empty title="No option fits.">Clear the search to see all.</Empty>
      ) : (
        <Card title="Options" aside={counted(fitting.length, 'option')}>
          <DataTable label="Settings" columns={COLUMNS} rows={fitting} rowKey={({ name }) => name} />
        </Card>
      )}
    </>
  );
}

export function Screen(): JSX.Element {
  const isAdmin = useIsAdmin();
  const pages = usePages<SettingRow>('/settings', { enabled: isAdmin });
  const { rows } = pages;
  const set = rows?.filter(({ origin }) => origin !== 'default').length ?? 0;
  if (!isAdmin) return <AdministratorsOnly title="Settings" />;
  return (
    <Page
      title="Settings"
      sentence={
        rows === undefined ? (
          'Reading the settings…'
        ) : (
          <>
            <b>
              {set} of {counted(rows.length, 'option')} differ from their default.
            </b>{' '}
            They are changed where they come from: a flag, the environment or the settings file of the server.
          </>
        )
      }
    >
      <Listed pages={pages} empty={<Empty title="No option.">Load the page again.</Empty>}>
        {items => <List rows={items} />}
      </Listed>
    </Page>
  );
}
