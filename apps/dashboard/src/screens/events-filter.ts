/** The filters of the event log, as they stand in the address. */
import { readText } from './search-text.ts';

export interface EventsFilter {
  readonly type?: string;
  readonly review?: string;
  readonly correlation?: string;
}

export const readEventsFilter = (search: Record<string, unknown>): EventsFilter => readText(search, ['type', 'review', 'correlation']);
