/** A list in each of its states: being read, failed, empty with what to do next, and with rows; below it, the way to more. */
import type { JSX, ReactNode } from 'react';
import type { More, Pages } from '../api/use-pages.ts';
import { Button } from '../ui/index.ts';
import { Page } from './page.tsx';
import { Failure, Loading } from './states.tsx';

export function MoreRows({ more }: { readonly more: More | null }): JSX.Element | null {
  return more === null ? null : (
    <div className="bar more-bar">
      <Button onClick={more.load} busy={more.busy}>
        {more.busy ? 'Reading more…' : 'Show more'}
      </Button>
    </div>
  );
}

interface ListedProps<Row> {
  readonly pages: Pages<Row>;
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

export function Listed<Row>({ pages: { rows, more, error, retry }, empty, children }: ListedProps<Row>): JSX.Element {
  return (
    <>
      {error !== null && <Failure error={error} onRetry={retry} />}
      {rows === undefined ? error === null && <Loading /> : rows.length === 0 ? empty : children(rows)}
      <MoreRows more={more} />
    </>
  );
}

/** What a viewer sees in the place of a page that is an administrator's. */
export function AdministratorsOnly({ title }: { readonly title: string }): JSX.Element {
  return <Page title={title} sentence={`${title} are shown to administrators. Ask one for the role.`} />;
}
