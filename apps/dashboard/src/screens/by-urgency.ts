/** The order of the inbox: deadlines first, the nearest at the top; then what blocks; then the oldest. */
import type { InboxRow } from '../api/resources.ts';

const key = ({ deadline, blocking, since }: InboxRow): string => `${deadline === null ? '~' : deadline} ${blocking ? 0 : 1} ${since ?? '~'}`;

export const byUrgency = (rows: readonly InboxRow[]): readonly InboxRow[] =>
  rows.toSorted((a, b) => {
    const [first, second] = [key(a), key(b)];
    return first === second ? 0 : first < second ? -1 : 1;
  });
