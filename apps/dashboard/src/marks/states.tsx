/** Loading, empty and failed, each with what to do next. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { Button } from '../ui/index.ts';
import { Glyph } from './glyph.tsx';

export function Loading({ rows = 6 }: { readonly rows?: number }): JSX.Element {
  return (
    <div className="card" aria-busy="true">
      <span className="hidden-text" role="status">
        Reading…
      </span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="skeleton" />
      ))}
    </div>
  );
}

/** @param children what to do next */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <div className="card state">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

const problemOf = (error: unknown): ApiProblem =>
  error instanceof ApiProblem
    ? error
    : new ApiProblem('This page met a fault of its own.', {
        status: 0,
        cause: error,
        next: 'Load it again; if it comes back, report it with the address of the page.',
      });

export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): JSX.Element {
  const { message, code, next, status } = problemOf(error);
  return (
    <div className="card state" role="alert">
      <h2>
        <span className="tone-bad">
          <Glyph name="bad" />
        </span>
        {message}
      </h2>
      <p>
        {next ?? (status === 403 ? 'Ask an administrator for the role.' : 'Try again; the log of the server says more.')}{' '}
        {code !== null && <span className="mono ink3">{code}</span>}
      </p>
      {onRetry && (
        <div className="bar">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/** A query's states in one place: what was read stays while it is read again, and a failure of that is said above it. */
export function Answered<Answer>({ query, children }: { readonly query: UseQueryResult<Answer>; readonly children: (answer: Answer) => ReactNode }): ReactNode {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  return query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />;
}
