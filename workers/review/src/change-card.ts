/** The part of a forge's change that a review remembers. */
import type { ChangeCard } from '@weir/contract';

/** Of a change as a forge has it: its description, branches and labels are read when they are needed, and not kept. */
export const cardOf = ({ number, title, url, author, state, draft }: ChangeCard): ChangeCard => ({ number, title, url, author, state, draft });
