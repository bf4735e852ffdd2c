/** A finding where its code is: severity, title, consequence, evidence, suggestion, thread, and dismissing it with a reason. */
import { type JSX, lazy, Suspense, useState } from 'react';
import type { FindingDetail } from '../../api/resources.ts';
import { counted } from '../../format/words.ts';
import { SeverityMark } from '../../marks/severity-mark.tsx';
import { useIsAdmin } from '../../shell/session.tsx';
import { Button } from '../../ui/index.ts';

const DismissDialog = lazy(async () => ({ default: (await import('./dismiss-dialog.tsx')).DismissDialog }));

function facts({ id, status, round, verdicts, rule, sources }: FindingDetail): string {
  const still = status === 'open' && verdicts.length > 0 ? 'still open' : status;
  return [`finding ${id}`, still, `round ${round}`, sources.length > 0 ? sources.join(', ') : rule].join(' · ');
}

function Evidence({ finding }: { readonly finding: FindingDetail }): JSX.Element | null {
  const evidence = finding.text?.evidence ?? [];
  if (evidence.length === 0) return null;
  return (
    <p className="ink3">
      Evidence:{' '}
      {evidence.map(({ path, line, note }, index) => (
        <span key={`${path}:${line}:${index}`}>
          {index > 0 && ' · '}
          <span className="mono place">
            {path}
            {line !== null && `:${line}`}
          </span>{' '}
          {note}
        </span>
      ))}
    </p>
  );
}

function Thread({ finding }: { readonly finding: FindingDetail }): JSX.Element | null {
  const { thread, dismissal } = finding;
  if (dismissal !== null)
    return (
      <p className="ink3">
        Dismissed by {dismissal.by}
        {dismissal.reason !== null && `: ${dismissal.reason}`}
      </p>
    );
  if (thread === null) return null;
  const settled = thread.resolved === null ? 'state not told by the forge' : thread.resolved ? 'resolved' : 'not resolved';
  return (
    <p className="ink3">
      Thread {settled}
      {thread.settledBy !== null && ` by ${thread.settledBy}`}
      {thread.turns > 0 && ` · ${counted(thread.turns, 'answer')}`}
      {thread.turnsSpent && ' · its turns are spent'}
    </p>
  );
}

function Suggestion({ text }: { readonly text: string }): JSX.Element {
  const [shown, setShown] = useState(false);
  return (
    <>
      <Button onClick={() => setShown(!shown)}>{shown ? 'Hide suggestion' : `Show suggestion (${counted(text.split('\n').length, 'line')})`}</Button>
      {shown && (
        <pre className="code across" tabIndex={0}>
          {text}
        </pre>
      )}
    </>
  );
}

function Dismiss({ finding, reviewId }: { readonly finding: FindingDetail; readonly reviewId: string }): JSX.Element {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>Dismiss with a reason…</Button>
      <Suspense>{opened && <DismissDialog finding={finding} reviewId={reviewId} onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}

function Actions({ finding, reviewId }: { readonly finding: FindingDetail; readonly reviewId: string }): JSX.Element | null {
  const isAdmin = useIsAdmin();
  const suggestion = finding.text?.suggestion ?? null;
  const mayDismiss = isAdmin && finding.status === 'open';
  if (suggestion === null && !mayDismiss) return null;
  return (
    <div className="bar">
      {mayDismiss && <Dismiss finding={finding} reviewId={reviewId} />}
      {suggestion !== null && <Suggestion text={suggestion} />}
    </div>
  );
}

interface FindingCardProps {
  readonly finding: FindingDetail;
  readonly reviewId: string;
  /** It stands by itself, not between lines of the diff. */
  readonly alone?: boolean;
}

export function FindingCard({ finding, reviewId, alone = false }: FindingCardProps): JSX.Element {
  return (
    <article
      id={`finding-${finding.id}`}
      className={`finding of-${finding.severity}${alone ? ' alone' : ''}`}
      data-closed={finding.status !== 'open'}
      aria-label={`Finding ${finding.id}`}
    >
      <div className="finding-head">
        <SeverityMark severity={finding.severity} />
        <span className="strong title">{finding.text?.title ?? `Found by ${finding.rule}`}</span>
        <span className="mono ink3">{facts(finding)}</span>
      </div>
      {alone && (
        <p className="mono ink2">
          {finding.path}
          {finding.line > 0 && `:${finding.line}`}
        </p>
      )}
      <p className="prose ink2">{finding.text?.message ?? 'Its text is no longer kept; it stands on the forge.'}</p>
      <Evidence finding={finding} />
      <Thread finding={finding} />
      <Actions finding={finding} reviewId={reviewId} />
    </article>
  );
}
