/**
 * What a decider answers: events, or a refusal as a value. Nothing to do is `accept()`.
 */
import { REVIEW_REFUSALS, type ReviewRefusalCode } from '@weir/contract';

export interface Refusal {
  readonly code: ReviewRefusalCode;
  /** For people. */
  readonly sentence: string;
}

export type Outcome<Event> =
  | { readonly kind: 'accepted'; readonly events: readonly Event[] }
  /** Nothing is appended. */
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Decider<Command, Event, State> {
  readonly initial: State;
  readonly decide: (command: Command, state: State) => Outcome<Event>;
  /** Total: an event that does not fit leaves the state as it is. */
  readonly evolve: (state: State, event: Event) => State;
}

export const accept = <Event>(...events: readonly Event[]): Outcome<Event> => ({ kind: 'accepted', events });

export const refuse = (code: ReviewRefusalCode, sentence: string = REVIEW_REFUSALS[code].sentence): Outcome<never> => ({
  kind: 'refused',
  refusal: { code, sentence },
});
