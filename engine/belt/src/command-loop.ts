/** Load the stream, fold it, decide, append; once more, with the stream held, when another process was first. The one way in which a stream is written (REV-2). */
import type { Envelope } from '@weir/contract';
import type { AppendOutcome, AppendRequest, EventLog, HandledMark, OutboxMessage, SqlSession } from '@weir/ports';
import type { Envelopes, Fact } from './envelopes.ts';
import { type Folded, foldStream, type StreamFold } from './fold-stream.ts';
import type { KeyedMutex } from './keyed-mutex.ts';

/** States that a loop keeps, so that a next command reads only what is new; the longest unused goes first. */
const MAX_KEPT = 1_000;

export type Decided<Event, Code extends string> =
  | { readonly kind: 'accepted'; readonly events: readonly Event[] }
  | { readonly kind: 'refused'; readonly code: Code; readonly because: string };

/** A decider of core/: pure and total. */
export interface StreamDecider<Command, State, Event extends Fact, Code extends string> extends StreamFold<State, Event> {
  readonly name: string;
  decide(command: Command, state: State): Decided<Event, Code>;
}

export interface CommandRequest<Command> {
  readonly stream: string;
  readonly command: Command;
  /** The envelope of the command: the events name it as their cause. */
  readonly cause: Envelope;
  /** Set where the command came over the bus: it takes effect once, its refusal too. */
  readonly handled?: HandledMark;
}

export type CommandOutcome<Event, Code extends string> =
  | { readonly outcome: 'accepted'; readonly version: number; readonly events: readonly Event[] }
  | { readonly outcome: 'refused'; readonly code: Code; readonly because: string }
  | { readonly outcome: 'repeated' };

export interface CommandLoopParts<Command, State, Event extends Fact, Code extends string> {
  readonly decider: StreamDecider<Command, State, Event, Code>;
  readonly log: EventLog;
  /** One for all loops of a process. */
  readonly mutex: KeyedMutex;
  readonly envelopes: Envelopes;
  /** What is published of the events, or of a refusal. */
  readonly messages: (events: readonly Envelope[], decided: Decided<Event, Code>, request: CommandRequest<Command>) => readonly OutboxMessage[];
  /** More writes in the transaction of the append, as a cancel of leased work. May run more than once; only the last is kept. */
  readonly alongside?: (session: SqlSession, events: readonly Envelope[]) => Promise<void>;
}

/** Throws what EventLog throws. */
export function commandLoop<Command, State, Event extends Fact, Code extends string>(
  parts: CommandLoopParts<Command, State, Event, Code>,
): (request: CommandRequest<Command>) => Promise<CommandOutcome<Event, Code>> {
  const { log, mutex } = parts;
  const kept = new Map<string, Folded<State>>();

  function keep(stream: string, folded: Folded<State>): void {
    kept.delete(stream);
    kept.set(stream, folded);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size > MAX_KEPT) kept.delete(oldest);
  }

  async function execute(request: CommandRequest<Command>): Promise<CommandOutcome<Event, Code>> {
    const { stream } = request;
    const known = kept.get(stream);
    let last = await decideOn(log, parts, { request, known });
    keep(stream, last.folded);
    let appended: AppendOutcome = await log.append({ stream, ...last.append });
    if (appended.outcome === 'conflict') {
      // Trying again like this, a process that is a little slower would lose each time.
      appended = await log.appendExclusively(stream, async held => {
        last = await decideOn(held, parts, { request, known: last.folded });
        return last.append;
      });
    }
    return toOutcome(appended, last.decided, stream);
  }

  return request => mutex.run(request.stream, () => execute(request));
}

interface Decision<State, Event, Code extends string> {
  readonly folded: Folded<State>;
  readonly decided: Decided<Event, Code>;
  readonly append: Omit<AppendRequest, 'stream'>;
}

async function decideOn<Command, State, Event extends Fact, Code extends string>(
  log: Pick<EventLog, 'readStream'>,
  { decider, envelopes, messages, alongside }: CommandLoopParts<Command, State, Event, Code>,
  { request, known }: { readonly request: CommandRequest<Command>; readonly known: Folded<State> | undefined },
): Promise<Decision<State, Event, Code>> {
  const { stream, command, cause, handled } = request;
  const folded = await foldStream(log, stream, decider, known);
  const decided = decider.decide(command, folded.state);
  const events = decided.kind === 'accepted' ? envelopes.following(cause, decider.name, decided.events) : [];
  const append = {
    expectedVersion: folded.version,
    events,
    messages: messages(events, decided, request),
    ...(handled === undefined ? {} : { handled }),
    ...(alongside === undefined ? {} : { alongside: (session: SqlSession) => alongside(session, events) }),
  };
  return { folded, decided, append };
}

function toOutcome<Event, Code extends string>(appended: AppendOutcome, decided: Decided<Event, Code>, stream: string): CommandOutcome<Event, Code> {
  if (appended.outcome === 'repeated') return { outcome: 'repeated' };
  if (appended.outcome === 'conflict') throw new Error(`The stream ${stream} was held and was written all the same.`);
  if (decided.kind === 'refused') return { outcome: 'refused', code: decided.code, because: decided.because };
  return { outcome: 'accepted', version: appended.version, events: decided.events };
}
