/** Loads a stream and folds it into the state that a decision is made on. */
import type { EventLog } from '@weir/ports';
import { type Fact, openEnvelope } from './envelopes.ts';

/** Events of one read. */
const PAGE = 500;

/** The part of a decider that folds. */
export interface StreamFold<State, Event extends Fact> {
  readonly initialState: State;
  evolve(state: State, event: Event): State;
}

export interface Folded<State> {
  readonly state: State;
  /** 0 for a stream that does not exist. */
  readonly version: number;
}

/** @param known an earlier fold of the same stream, to go on from. */
export async function foldStream<State, Event extends Fact>(
  log: Pick<EventLog, 'readStream'>,
  stream: string,
  fold: StreamFold<State, Event>,
  known: Folded<State> = { state: fold.initialState, version: 0 },
): Promise<Folded<State>> {
  let { state, version } = known;
  for (;;) {
    const events = await log.readStream(stream, version, PAGE);
    for (const { envelope } of events) state = fold.evolve(state, openEnvelope<Event>(envelope));
    version = events.at(-1)?.version ?? version;
    if (events.length < PAGE) return { state, version };
  }
}
