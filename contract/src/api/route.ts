/** One operation of the REST API as data: the server, the description and the tests read the same row. */
import type { ZodObject, ZodType } from 'zod';

export type Role = 'viewer' | 'admin';

export interface ApiRoute {
  /** The operationId of the description. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`; parameters stand in braces. */
  readonly path: string;
  /** `anyone`: without a session. */
  readonly role: Role | 'anyone';
  readonly summary: string;
  /** Read from the texts of the address. */
  readonly params: ZodObject;
  readonly query: ZodObject;
  /** Null: the operation takes none. */
  readonly body: ZodType | null;
  /** Null: 204, or a stream. */
  readonly answer: ZodType | null;
  /** Server-sent events. */
  readonly stream?: true;
}
