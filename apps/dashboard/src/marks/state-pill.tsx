/** The state of a process: glyph, word and tint. A verdict on code is never shown as one. */
import { roundStatusRow } from '@weir/contract';
import type { JSX } from 'react';
import { capital } from '../format/words.ts';
import type { Tone } from '../ui/index.ts';
import { Glyph } from './glyph.tsx';

export function StatePill({ tone, label }: { readonly tone: Tone | 'next'; readonly label: string }): JSX.Element {
  return (
    <span className={tone === 'next' ? 'pill next' : `pill tone-${tone}`}>
      <Glyph name={tone} />
      {label}
    </span>
  );
}

/** A status of a round in the contract's words; one that this page does not know is unknown, never success (REV-11). */
export function StatusPill({ status }: { readonly status: string }): JSX.Element {
  const { tone, label } = roundStatusRow(status);
  return <StatePill tone={tone} label={capital(label)} />;
}
