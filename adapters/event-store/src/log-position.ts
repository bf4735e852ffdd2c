/** The text form of a place in the log: the transaction, then the position inside the database. */
import type { LogPosition } from '@weir/ports';

/** Both are 64-bit numbers as text. */
export interface LogPlace {
  readonly tx: string;
  readonly position: string;
}

const START: LogPlace = { tx: '0', position: '0' };
/** Above every place: the greatest numbers of their columns. */
export const END: LogPlace = { tx: '18446744073709551615', position: '9223372036854775807' };

export const writePosition = ({ tx, position }: LogPlace): LogPosition => `${tx}-${position}`;

/** What is not a position is refused by the database, as a number that it cannot read. */
export function readPosition(text: LogPosition | undefined): LogPlace {
  if (text === undefined) return START;
  const [tx = '', position = ''] = text.split('-');
  return { tx, position };
}
