/** Where the money went and what is not known: calls without a price come first. */
import { useQuery } from '@tanstack/react-query';
import { type JSX, type ReactNode } from 'react';
import type { Spend, SpendSlice } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { money } from '../format/money.ts';
import { day } from '../format/time.ts';
import { agree, counted, number } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { Card, Page } from '../marks/page.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Answered } from '../marks/states.tsx';
import { Why } from '../marks/why.tsx';

const columns = (of: string): readonly Column<SpendSlice>[] => [
  { title: 'Name', kind: 'fill', cell: ({ name }) => <span className="mono">{name}</span> },
  {
    title: 'Unpriced',
    kind: 'right',
    cell: ({ unpricedCalls }) => <span className={unpricedCalls > 0 ? 'tone-unknown' : 'ink3'}>{number(unpricedCalls)}</span>,
  },
  { title: 'Calls', kind: 'right', cell: ({ calls }) => number(calls) },
  { title: 'Cost', kind: 'right', cell: ({ name, millicents }) => <Why of={`spend/${of}:${name}`}>{money(millicents)}</Why> },
];

function Slices({ title, of, rows }: { readonly title: string; readonly of: string; readonly rows: readonly SpendSlice[] }): JSX.Element {
  return (
    <Card title={title} aside={`${rows.length}`}>
      {rows.length === 0 ? (
        <p className="card-body ink3">No call yet.</p>
      ) : (
        <DataTable label={title} columns={columns(of)} rows={rows} rowKey={({ name }) => name} />
      )}
    </Card>
  );
}

const CAPS: readonly Column<Spend['caps'][number]>[] = [
  { title: 'State', cell: ({ reached }) => <StatePill tone={reached ? 'wait' : 'ok'} label={reached ? 'Reached' : 'Open'} /> },
  { title: 'Cap', cell: ({ name }) => name },
  { title: 'Measured', kind: 'wrap', cell: ({ measured, limit }) => (limit === undefined ? measured : `${measured} of ${limit}`) },
  { title: 'Capacity', cell: ({ reached, returns }) => (reached ? (returns ?? 'not known when') : 'now') },
];

function Sentence({ spend }: { readonly spend: Spend }): ReactNode {
  const { total, since, caps } = spend;
  const reached = caps.filter(cap => cap.reached).length;
  return (
    <>
      {total.unpricedCalls > 0 && (
        <>
          <b className="tone-unknown">
            <Why of="spend/unpriced">{counted(total.unpricedCalls, 'call')}</Why> {agree(total.unpricedCalls, 'has', 'have')} no known price.
          </b>{' '}
        </>
      )}
      Since {day(since)}, <Why of="spend/calls">{counted(total.calls, 'call')}</Why> cost{' '}
      <b>
        <Why of="spend/total">{money(total.millicents)}</Why>
      </b>
      {total.unpricedCalls > 0 ? ', without those.' : '.'}{' '}
      {caps.length === 0 ? 'No cap is set.' : reached === 0 ? 'No cap is reached.' : `${counted(reached, 'cap')} reached.`}
    </>
  );
}

export function Screen(): JSX.Element {
  const query = useQuery(read<Spend>('/spend'));
  return (
    <Page title="Spend" sentence={query.data === undefined ? 'Reading the ledger…' : <Sentence spend={query.data} />}>
      <Answered query={query}>
        {spend => (
          <div className="stack">
            {spend.caps.length > 0 && (
              <Card title="Caps">
                <DataTable label="Caps" columns={CAPS} rows={spend.caps} rowKey={({ name }) => name} />
              </Card>
            )}
            <div className="halves">
              <Slices title="By capability" of="capability" rows={spend.byCapability} />
              <Slices title="By model" of="model" rows={spend.byModel} />
              <Slices title="By repository" of="repository" rows={spend.byRepository} />
            </div>
          </div>
        )}
      </Answered>
    </Page>
  );
}
