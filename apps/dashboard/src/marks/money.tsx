/** An amount; `unpriced` stands out, since nobody knows it. */
import type { JSX } from 'react';
import { money } from '../format/money.ts';

export function Money({ millicents }: { readonly millicents: number | null }): JSX.Element {
  return <span className={millicents === null ? 'tone-unknown' : undefined}>{money(millicents)}</span>;
}
