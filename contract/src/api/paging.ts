/** Pages of lists, and the answer to a write. */
import { z } from 'zod';

/** Rows of one page. */
export const MAX_API_PAGE = 200;
const DEFAULT_API_PAGE = 50;

export const pageQuery = {
  /** Where the page before ended; opaque. */
  cursor: z.string().min(1).max(600).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_API_PAGE).default(DEFAULT_API_PAGE),
};

/** `next` is the cursor of the next page; null at the end. */
export const pageOf = <Row extends z.ZodType>(row: Row) => z.strictObject({ items: z.array(row), next: z.string().nullable() });

/** A place in the log, `<transaction>-<place>`: the id of an event of the feed. */
export const ApiPosition = z.string().regex(/^\d{1,20}-\d{1,20}$/);

/** A write is done when the feed has passed the position; null: it writes no event. */
export const ApiAccepted = z.strictObject({ position: ApiPosition.nullable() });
export type ApiAccepted = z.infer<typeof ApiAccepted>;

export const yesOrNo = z.enum(['true', 'false']).transform(word => word === 'true');
