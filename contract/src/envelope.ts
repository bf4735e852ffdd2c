/**
 * What every event, command and piece of work travels in: a CloudEvents 1.0 envelope (REV-3) that says which schema version its data
 * has and what caused it. Source: the CloudEvents 1.0.2 specification, with its JSON format and its partitioning extension.
 */
import { z } from 'zod';

/** Characters of an id, a type or a name at most; all of them are columns of an index. */
const NAME_LENGTH = 255;
const Name = z.string().min(1).max(NAME_LENGTH);

/** Names of extension attributes are lower-case letters and digits, by the specification. Unknown attributes are dropped on reading. */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  /** Unique among all envelopes; consumers skip one that they have handled. */
  id: Name,
  /** Which part of Weir wrote it: a URI reference, as `/ingress/github`. */
  source: Name,
  /** `ReviewRequested`, `change.opened`: one meaning for ever; the form of the data changes with `schemaversion`. */
  type: Name,
  /** What it is about, and the key of the order: the review id (REV-4). */
  subject: Name,
  time: z.iso.datetime({ offset: true }),
  datacontenttype: z.literal('application/json'),
  /** Of the data of this type, from 1. A reader brings old versions to the present one. */
  schemaversion: z.int().min(1),
  /** The same in everything that one outer cause set off. */
  correlationid: Name,
  /** The id of the envelope that led to this one; absent at the first of a chain. */
  causationid: Name.optional(),
  data: z.record(z.string(), z.unknown()),
});
export type Envelope = z.infer<typeof Envelope>;
