/** What stands in the way, above everything else of the page, with what lifts it. */
import type { JSX, ReactNode } from 'react';
import { Glyph } from './glyph.tsx';

export function GateBanner({
  tone,
  children,
  actions,
}: {
  readonly tone: 'wait' | 'bad';
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}): JSX.Element {
  return (
    <div className={`gate tone-${tone}`} role="status">
      <Glyph name={tone} />
      <span className="ink grow">{children}</span>
      {actions}
    </div>
  );
}
