/** Where the review stands, and what may be done with it: each button waits for its event. */
import { roundStatusRow } from '@weir/contract';
import type { JSX } from 'react';
import type { ReviewDetail } from '../../api/resources.ts';
import { CommandButton } from '../../marks/command-button.tsx';
import { Money } from '../../marks/money.tsx';
import { StatePill, StatusPill } from '../../marks/state-pill.tsx';
import { Tally } from '../../marks/tally.tsx';
import { Why } from '../../marks/why.tsx';
import { useIsAdmin } from '../../shell/session.tsx';
import { useCommand } from '../../shell/use-command.ts';
import { OutsideLink } from '../../ui/index.ts';

function Command({ path, children }: { readonly path: string; readonly children: string }): JSX.Element {
  const { state, error, send } = useCommand();
  return (
    <CommandButton state={state} error={error} onClick={() => send({ method: 'POST', path })}>
      {children}
    </CommandButton>
  );
}

function Commands({ review }: { readonly review: ReviewDetail }): JSX.Element {
  const inFlight = review.status !== null && !roundStatusRow(review.status).terminal;
  const at = `/reviews/${review.id}`;
  return (
    <>
      {inFlight ? (
        <Command path={`${at}/cancel`}>Cancel</Command>
      ) : (
        review.head !== null && !review.archived && <Command path={`${at}/rerun`}>Run again</Command>
      )}
      {!inFlight && (review.archived ? <Command path={`${at}/restore`}>Restore</Command> : <Command path={`${at}/archive`}>Archive</Command>)}
    </>
  );
}

export function ReviewBar({ review }: { readonly review: ReviewDetail }): JSX.Element {
  const isAdmin = useIsAdmin();
  const { id, status, open, cost, archived, url } = review;
  return (
    <div className="bar">
      {status === null ? <StatePill tone="idle" label="Nothing started" /> : <StatusPill status={status} />}
      {archived && <StatePill tone="idle" label="Archived" />}
      <Why of={`review/${id}/open`}>
        <Tally counts={open} />
      </Why>
      <Why of={`review/${id}/cost`}>
        <Money millicents={cost.unpricedCalls > 0 ? null : cost.millicents} />
      </Why>
      <span className="grow" />
      {isAdmin && <Commands review={review} />}
      {url !== null && <OutsideLink href={url}>Open on forge</OutsideLink>}
    </div>
  );
}
