/** Open findings by severity. What is not yet known is said, never shown as zeros. */
import type { Severity } from '@weir/contract';
import type { JSX } from 'react';
import type { Counts } from '../api/resources.ts';
import { agree, counted } from '../format/words.ts';
import { Glyph } from './glyph.tsx';

/** Notes are counted in their page, not in a list: nothing has to be done about them. */
const SHOWN = ['blocker', 'major', 'minor'] as const satisfies readonly Severity[];

export function Tally({ counts }: { readonly counts: Counts | null }): JSX.Element {
  if (counts === null)
    return (
      <span className="tone-unknown nowrap">
        <Glyph name="unknown" />
        not yet known
      </span>
    );
  return (
    <span className="tally">
      {SHOWN.map(severity => (
        <span key={severity} className={counts[severity] === 0 ? 'none' : `severity-${severity}`} title={counted(counts[severity], severity)}>
          <Glyph name={severity} />
          {counts[severity]}
          <span className="hidden-text"> {agree(counts[severity], severity, `${severity}s`)}</span>
        </span>
      ))}
    </span>
  );
}
