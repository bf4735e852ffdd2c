/** What each forge can do here, and which version of its API that rests on. */
import { type JSX, type ReactNode } from 'react';
import type { ProviderRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { counted } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { Listed } from '../marks/list-states.tsx';
import { Card, Facts, Page } from '../marks/page.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Empty } from '../marks/states.tsx';

type Capability = ProviderRow['capabilities'][number];
type Finding = ProviderRow['findings'][number];

const CAPABILITY_TONES = { bound: 'ok', unsupported: 'idle', deprecated: 'wait' } as const;
const FINDING_TONES = { error: 'bad', warning: 'wait', note: 'idle' } as const;

const CAPABILITIES: readonly Column<Capability>[] = [
  { title: 'State', cell: ({ state }) => <StatePill tone={CAPABILITY_TONES[state]} label={state} /> },
  { title: 'Verb', cell: ({ verb }) => <span className="mono">{verb}</span> },
  { title: 'What it says', kind: 'wrap', cell: ({ says }) => <span className="ink2">{says}</span> },
];
const FINDINGS: readonly Column<Finding>[] = [
  { title: 'Doctor', cell: ({ level }) => <StatePill tone={FINDING_TONES[level]} label={level} /> },
  { title: 'Finding', kind: 'wrap', cell: ({ sentence }) => sentence },
];

const bound = ({ capabilities }: ProviderRow): number => capabilities.filter(({ state }) => state !== 'unsupported').length;

function Provider({ provider }: { readonly provider: ProviderRow }): JSX.Element {
  const { name, description, pin, capabilities, findings } = provider;
  return (
    <Card title={name} aside={`${bound(provider)} of ${counted(capabilities.length, 'verb')}`}>
      <Facts
        rows={[
          ['Description', description],
          ['Pinned version', pin === null ? <span className="tone-unknown">not pinned</span> : <span className="mono">{pin.version}</span>],
          ['Digest', pin === null ? '' : <span className="mono">{pin.digest}</span>],
        ]}
      />
      {findings.length > 0 && <DataTable label={`Findings of ${name}`} columns={FINDINGS} rows={findings} rowKey={({ sentence }) => sentence} />}
      <details className="more">
        <summary>Capabilities</summary>
        <DataTable label={`Capabilities of ${name}`} columns={CAPABILITIES} rows={capabilities} rowKey={({ verb }) => verb} />
      </details>
    </Card>
  );
}

function sentence(rows: readonly ProviderRow[] | undefined): ReactNode {
  if (rows === undefined) return 'Reading the providers…';
  const faulty = rows.filter(row => row.findings.some(({ level }) => level === 'error'));
  return (
    <>
      <b>{counted(rows.length, 'provider')} can be asked.</b>{' '}
      {faulty.length === 0 ? 'The doctor finds no error in what describes them.' : `The doctor finds errors in ${faulty.map(({ name }) => name).join(', ')}.`}
    </>
  );
}

export function Screen(): JSX.Element {
  const pages = usePages<ProviderRow>('/providers');
  return (
    <Page title="Providers" sentence={sentence(pages.rows)}>
      <Listed
        pages={pages}
        empty={
          <Empty title="No provider.">
            On the machine of the server: <span className="mono">weir provider list</span>.
          </Empty>
        }
      >
        {items => (
          <div className="stack">
            {items.map(provider => (
              <Provider key={provider.name} provider={provider} />
            ))}
          </div>
        )}
      </Listed>
    </Page>
  );
}
