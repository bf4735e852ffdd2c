/** Keeps a read model up to date behind the log: its rows and its checkpoint are committed together, so each event is applied once. */
import { type EventLog, type LogEvent, type PollLoop, pollLoop, type SqlSession } from '@weir/ports';

export interface ProjectionParts {
  readonly log: EventLog;
  /** The name of its checkpoint. */
  readonly name: string;
  readonly project: (session: SqlSession, events: readonly LogEvent[]) => Promise<void>;
  /** Events of one transaction at most. */
  readonly batch: number;
  readonly idleMs: number;
  /** A step that fails is undone and comes again, so a projection that cannot apply an event stands still and says so here. */
  readonly onFailure: (failure: unknown) => void;
}

/** Any number of processes may run it; one at a time makes a step. */
export const startProjection = ({ log, name, project, batch, idleMs, onFailure }: ProjectionParts): PollLoop =>
  pollLoop({ step: async () => (await log.follow(name, batch, project)) > 0, idleMs, onFailure });
