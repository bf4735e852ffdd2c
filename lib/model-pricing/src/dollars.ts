/** Dollars as people write them, and millicents as the ledger keeps them: $1 is 100,000 millicents. */
import { MAX_MILLICENTS } from '@weir/contract';

const PER_DOLLAR = 100_000;
const DOLLARS = /^(\d{1,8})(?:\.(\d{1,5}))?$/;

/** @returns undefined for anything but `5`, `5.00`, `0.00015`, and for more than ten million dollars. */
export function readDollars(text: string): number | undefined {
  const match = DOLLARS.exec(text.trim());
  if (match === null) return undefined;
  const millicents = Number(match[1]) * PER_DOLLAR + Number((match[2] ?? '').padEnd(5, '0'));
  return millicents <= MAX_MILLICENTS ? millicents : undefined;
}

/** Two digits after the point, or as many as there are: `$5.00`, `$0.01234`. */
export function formatDollars(millicents: number): string {
  const fraction = String(millicents % PER_DOLLAR)
    .padStart(5, '0')
    .replace(/0{1,3}$/, '');
  return `$${Math.floor(millicents / PER_DOLLAR)}.${fraction}`;
}
