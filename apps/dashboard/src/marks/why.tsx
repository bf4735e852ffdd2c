/** A figure that opens its why: the events and calls that it folds. The address keeps it, so a why can be sent to somebody. */
import { useNavigate } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';

/** @param of what the figure is asked of, as `readWhy` reads it: `review/<id>/<figure>`, `spend/<figure>` */
export function Why({ of, children }: { readonly of: string; readonly children: ReactNode }): JSX.Element {
  const navigate = useNavigate();
  return (
    <button type="button" className="why" onClick={() => void navigate({ to: '.', search: before => ({ ...before, why: of }) })}>
      {children}
    </button>
  );
}
