/** One route of the REST API, as data: the server, the OpenAPI document and the tests read the same table. */
import type { z } from 'zod';

/** `admin` may do what `viewer` may (REV-39a). */
export const API_ROLES = ['viewer', 'admin'] as const;
export type Role = (typeof API_ROLES)[number];

export interface ApiRoute {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** OpenAPI template below `/api/v1`. */
  readonly path: string;
  /** `anyone`: without a session. */
  readonly role: Role | 'anyone';
  readonly summary: string;
  readonly params: z.ZodObject;
  /** Texts, as an address has them. */
  readonly query: z.ZodObject;
  readonly body: z.ZodType | null;
  /** Null: 204, or a stream. */
  readonly answer: z.ZodType | null;
  /** Server-sent events; the id of each is a place in the log. */
  readonly stream?: true;
}
