/** From nothing to a review: each step is done when it was observed, not when somebody says so. */
import { useQuery } from '@tanstack/react-query';
import { type JSX, type ReactNode } from 'react';
import type { FirstRun, FirstRunStep } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { Card, Page } from '../marks/page.tsx';
import { StatePill } from '../marks/state-pill.tsx';
import { Answered } from '../marks/states.tsx';

function Step({ step, isNext }: { readonly step: FirstRunStep; readonly isNext: boolean }): JSX.Element {
  const { title, done, observed, next, command } = step;
  return (
    <li>
      <StatePill tone={done ? 'ok' : isNext ? 'wait' : 'next'} label={done ? 'Seen' : isNext ? 'Next' : 'Then'} />
      <div>
        <h3 className="strong">{title}</h3>
        <p className="ink2">{done ? observed : next}</p>
        {!done && command !== null && <pre className="code">{command}</pre>}
      </div>
    </li>
  );
}

function sentence(steps: readonly FirstRunStep[] | undefined): ReactNode {
  if (steps === undefined) return 'Looking at what is set up…';
  const done = steps.filter(step => step.done).length;
  return done === steps.length ? (
    <b>All is set up, and each step was seen to work.</b>
  ) : (
    <>
      <b>
        {done} of {steps.length} steps have been seen to work.
      </b>{' '}
      This page goes on by itself when the next one is.
    </>
  );
}

export function Screen(): JSX.Element {
  const query = useQuery(read<FirstRun>('/first-run'));
  return (
    <Page title="First run" sentence={sentence(query.data?.steps)}>
      <Answered query={query}>
        {({ steps }) => (
          <Card title="Steps">
            <ol className="steps">
              {steps.map(step => (
                <Step key={step.key} step={step} isNext={step === steps.find(one => !one.done)} />
              ))}
            </ol>
          </Card>
        )}
      </Answered>
    </Page>
  );
}
