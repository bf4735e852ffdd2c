/** A cassette: what a provider was asked and what it answered, without anything that must not be kept. A file of a repository. */
import { z } from 'zod';

/** Stands for the provider's own origin, so that a recording does not depend on where the provider ran. */
export const CASSETTE_ORIGIN = 'https://provider.invalid';

/** Bytes of a file; what is larger is no test data. */
export const MAX_CASSETTE_BYTES = 8 * 1024 * 1024;

const headers = z.record(z.string(), z.string());

export const Exchange = z.strictObject({
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    /** Names and values as they stood, decoded, in their order. */
    query: z.array(z.tuple([z.string(), z.string()])),
    headers,
    body: z.string().nullable(),
  }),
  response: z.strictObject({ status: z.number().int(), headers, body: z.string() }),
});
export type Exchange = z.infer<typeof Exchange>;

export const Cassette = z.strictObject({
  version: z.literal(1),
  provider: z.string(),
  apiVersion: z.string(),
  operation: z.string(),
  /** `vendor`: the published address; `instance`: another address; `simulator`: an address of the machine that recorded. */
  recordedFrom: z.enum(['vendor', 'instance', 'simulator']),
  recordedAt: z.iso.date(),
  exchanges: z.array(Exchange).min(1),
});
export type Cassette = z.infer<typeof Cassette>;
