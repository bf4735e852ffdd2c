/** Counters of the reviewing parts of a process. */
import { createCounter, createHistogram, type Metric } from '@weir/metrics';

export interface ServerMetrics {
  delivery(outcome: string, forge: string): void;
  dropped(reason: string): void;
  /** A round has come to its end. */
  round(status: string): void;
  /** A piece of work has ended, with the type of its last result. */
  work(kind: string, result: string, seconds: number): void;
  readonly all: readonly Metric[];
}

export function createServerMetrics(): ServerMetrics {
  const deliveries = createCounter('weir_deliveries_total', 'Verified deliveries, by what became of them.');
  const drops = createCounter('weir_intake_drops_total', 'Deliveries that ask for nothing, by reason.');
  const rounds = createCounter('weir_rounds_total', 'Rounds that have ended, by status.');
  const works = createCounter('weir_work_total', 'Pieces of work that have ended, by kind and result.');
  const seconds = createHistogram('weir_work_seconds', 'Seconds of a piece of work.');
  return {
    delivery: (outcome, forge) => deliveries.add({ outcome, forge }),
    dropped: reason => drops.add({ reason }),
    round: status => rounds.add({ status }),
    work(kind, result, duration) {
      works.add({ kind, result });
      seconds.observe(duration);
    },
    all: [deliveries, drops, rounds, works, seconds],
  };
}
