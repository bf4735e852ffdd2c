/** Ends every lease at once, for a process that starts on a database that nobody else has open: who holds a lease there has died. */
import type { SqlPort } from '@weir/ports';

/** A lane without a fence waits after a failure, and a work that is not leased waits for its time: both stay as they are. */
const END_LANES = 'update weir_bus_lanes set ready_at = $1 where fence <> 0 and ready_at > $1';
const END_WORK = 'update weir_work set ready_at = $1 where leased and ready_at > $1';

/** @param now milliseconds since 1970. A lease that ends so counts as one that ended by itself. */
export async function endLeases(database: SqlPort, now: number): Promise<void> {
  for (const statement of [END_LANES, END_WORK]) await database.query(statement, [now]);
}
