/** The share of findings that people acted on; where it cannot be computed, the reason stands instead of a figure. */
import type { JSX } from 'react';
import { counted } from '../format/words.ts';

type SignalRatio = { readonly ratio: number; readonly of: number } | { readonly absent: string };

export function Signal({ signal }: { readonly signal: SignalRatio }): JSX.Element {
  return 'ratio' in signal ? (
    <span title={`of ${counted(signal.of, 'finding')}`}>{Math.round(signal.ratio * 100)} %</span>
  ) : (
    <span className="ink3">{signal.absent}</span>
  );
}
