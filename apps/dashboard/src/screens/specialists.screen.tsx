/** Who judges, by which rules, and whether people act on it. */
import { type JSX, type ReactNode } from 'react';
import type { SpecialistRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { counted } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { Listed } from '../marks/list-states.tsx';
import { Card, Facts, Page } from '../marks/page.tsx';
import { SeverityMark } from '../marks/severity-mark.tsx';
import { Signal } from '../marks/signal.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Empty } from '../marks/states.tsx';

const RULES: readonly Column<SpecialistRow['rules'][number]>[] = [
  { title: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
  { title: 'Rule', cell: ({ id }) => <span className="mono">{id}</span> },
  { title: 'What it finds', kind: 'wrap', cell: ({ title }) => title },
];

function Specialist({ specialist }: { readonly specialist: SpecialistRow }): JSX.Element {
  const { key, title, description, enabled, because, rules, signal } = specialist;
  return (
    <Card title={title} aside={<StatePill tone={enabled ? 'ok' : 'idle'} label={enabled ? 'on' : 'off'} />}>
      <p className="card-body ink2">{description}</p>
      <Facts
        rows={[
          [
            'Key',
            <span key="key" className="mono">
              {key}
            </span>,
          ],
          ['Decided by', because],
          ['Acted on', <Signal key="signal" signal={signal} />],
        ]}
      />
      {rules.length > 0 && (
        <details className="more">
          <summary>{counted(rules.length, 'rule')}</summary>
          <DataTable label={`Rules of ${key}`} columns={RULES} rows={rules} rowKey={({ id }) => id} />
        </details>
      )}
    </Card>
  );
}

function sentence(rows: readonly SpecialistRow[] | undefined): ReactNode {
  if (rows === undefined) return 'Reading the specialists…';
  const on = rows.filter(({ enabled }) => enabled).length;
  return (
    <>
      <b>
        {on} of {counted(rows.length, 'specialist')} judge changes here.
      </b>
      {on < rows.length && ' The others are off until an operator or a repository asks for them.'}
    </>
  );
}

export function Screen(): JSX.Element {
  const pages = usePages<SpecialistRow>('/specialists');
  return (
    <Page title="Specialists" sentence={sentence(pages.rows)}>
      <Listed
        pages={pages}
        empty={
          <Empty title="No specialist.">
            On the machine of the server: <span className="mono">weir rules</span> lists what ships.
          </Empty>
        }
      >
        {items => (
          <div className="halves">
            {items.map(specialist => (
              <Specialist key={specialist.key} specialist={specialist} />
            ))}
          </div>
        )}
      </Listed>
    </Page>
  );
}
