/** Paid calls as a list: what for, which model, tokens, and what each cost. */
import type { JSX } from 'react';
import type { ChargeRow } from '../api/resources.ts';
import { number } from '../format/words.ts';
import { Facts } from './page.tsx';
import { Money } from './money.tsx';

const tokens = (value: number | null | undefined): string => (value === null || value === undefined ? 'unknown' : number(value));

export function ChargeList({ charges }: { readonly charges: readonly ChargeRow[] }): JSX.Element {
  return (
    <Facts
      rows={charges.map(({ capability, model, millicents, inputTokens, cachedTokens, outputTokens }) => [
        <span key="what">
          {capability} <span className="mono ink3">{model}</span>
          <br />
          {inputTokens !== undefined && (
            <span className="ink3">
              in {tokens(inputTokens)} · cached {tokens(cachedTokens)} · out {tokens(outputTokens)}
            </span>
          )}
        </span>,
        <Money key="cost" millicents={millicents} />,
      ])}
    />
  );
}
