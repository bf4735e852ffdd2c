/** The severity of a finding: octagon, triangle, square, dot, with its word. */
import type { Severity } from '@weir/contract';
import type { JSX } from 'react';
import { capital } from '../format/words.ts';
import { Glyph } from './glyph.tsx';

export function SeverityMark({ severity }: { readonly severity: Severity }): JSX.Element {
  return (
    <span className={`severity severity-${severity}`}>
      <Glyph name={severity} />
      {capital(severity)}
    </span>
  );
}
