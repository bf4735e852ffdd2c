/** Brings the data of an envelope to the schema version that this program works with (REV-3). Pure. */
import type { Envelope } from '@weir/contract';

/** From one version of a type's data to the next. */
export type UpcastStep = (data: Envelope['data']) => Envelope['data'];

/** By type; the first step leads from version 1 to 2. The present version is one more than there are steps; a type that is not named has 1. */
export type UpcastTable = ReadonlyMap<string, readonly UpcastStep[]>;

export type Upcast = (envelope: Envelope) => Envelope;

/** Data of a newer version than this program knows: a newer version of Weir wrote it. Retrying here is of no use. */
export class EnvelopeUnreadable extends Error {
  override readonly name = 'EnvelopeUnreadable';
}

/** @returns a function that gives a present envelope back as it is, and throws EnvelopeUnreadable for one from the future. */
export function createUpcast(table: UpcastTable): Upcast {
  return envelope => {
    const steps = table.get(envelope.type) ?? [];
    const present = steps.length + 1;
    if (envelope.schemaversion === present) return envelope;
    if (envelope.schemaversion > present) {
      throw new EnvelopeUnreadable(
        `${envelope.type} ${envelope.id} has schema version ${envelope.schemaversion}, this program knows ${present}: a newer version of Weir wrote it. Run that one.`,
      );
    }
    const data = steps.slice(envelope.schemaversion - 1).reduce((older, step) => step(older), envelope.data);
    return { ...envelope, schemaversion: present, data };
  };
}

/** The schema version that a new envelope of this type has. */
export const presentVersion = (table: UpcastTable, type: string): number => (table.get(type)?.length ?? 0) + 1;
