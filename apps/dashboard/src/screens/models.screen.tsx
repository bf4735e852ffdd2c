/** Which model answers what, what is adapted for it, and, for administrators, at which rates. */
import { type JSX, type ReactNode } from 'react';
import type { ModelRow } from '../api/resources.ts';
import { usePages } from '../api/use-pages.ts';
import { rate } from '../format/money.ts';
import { agree, capital, counted } from '../format/words.ts';
import { type Column, DataTable } from '../marks/data-table.tsx';
import { Listed } from '../marks/list-states.tsx';
import { Card, Facts, Page } from '../marks/page.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Empty } from '../marks/states.tsx';

const MODES = { metered: ['ok', 'metered'], unmetered: ['idle', 'unmetered'], unknown: ['unknown', 'unpriced'] } as const;
const DISPOSITIONS = { native: 'ok', adapt: 'run', omit: 'idle', unavailable: 'bad' } as const;

const TOOLS: readonly Column<ModelRow['tools'][number]>[] = [
  { title: 'Disposition', cell: ({ disposition }) => <StatePill tone={DISPOSITIONS[disposition]} label={disposition} /> },
  { title: 'Tool', cell: ({ tool }) => <span className="mono">{tool}</span> },
  { title: 'Because', kind: 'wrap', cell: ({ reason }) => <span className="ink2">{reason}</span> },
];

function rates(model: ModelRow): readonly (readonly [ReactNode, ReactNode])[] {
  if (model.rates === undefined)
    return [
      [
        'Rates',
        <span key="rates" className="ink3">
          shown to administrators
        </span>,
      ],
    ];
  if (model.rates === null) return [['Rates', 'none']];
  const { perMillion, since, source } = model.rates;
  return [
    ...Object.entries(perMillion).map(([type, value]) => [`${capital(type.replaceAll('_', ' '))}, per million tokens`, rate(value)] as const),
    ['Read', [source, since].filter(part => part !== null).join(', ') || 'source not given'],
  ];
}

function Model({ model }: { readonly model: ModelRow }): JSX.Element {
  const [tone, label] = MODES[model.mode];
  return (
    <Card
      title={<span className="mono">{model.ref}</span>}
      aside={
        <>
          {model.isDefault && 'asked by reviews · '}
          <StatePill tone={tone} label={label} />
        </>
      }
    >
      <Facts
        rows={[
          ['Provider', model.provider],
          [
            'Asked for as',
            <span key="model" className="mono">
              {model.upstreamModel}
            </span>,
          ],
          ['Protocol', model.protocol],
          ...rates(model),
        ]}
      />
      {model.tools.length > 0 && (
        <details className="more">
          <summary>Tool plan</summary>
          <DataTable label={`Tools of ${model.ref}`} columns={TOOLS} rows={model.tools} rowKey={({ tool }) => tool} />
        </details>
      )}
    </Card>
  );
}

function sentence(rows: readonly ModelRow[] | undefined): ReactNode {
  if (rows === undefined) return 'Reading the models…';
  const unpriced = rows.filter(({ mode }) => mode === 'unknown').length;
  return (
    <>
      <b>
        {counted(rows.length, 'model')} {agree(rows.length, 'has', 'have')} a route.
      </b>{' '}
      {unpriced === 0
        ? 'Each has a price, or the word that it costs nothing.'
        : `${unpriced} ${agree(unpriced, 'has', 'have')} no price and ${agree(unpriced, 'is', 'are')} not called.`}
    </>
  );
}

export function Screen(): JSX.Element {
  const pages = usePages<ModelRow>('/models');
  return (
    <Page title="Models" sentence={sentence(pages.rows)}>
      <Listed
        pages={pages}
        empty={
          <Empty title="No model has a route.">
            On the machine of the server: <span className="mono">weir models add</span>.
          </Empty>
        }
      >
        {items => (
          <div className="halves">
            {items.map(model => (
              <Model key={model.ref} model={model} />
            ))}
          </div>
        )}
      </Listed>
    </Page>
  );
}
