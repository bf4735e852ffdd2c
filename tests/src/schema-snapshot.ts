/** The form of data as text, nested types included, so that a test sees any change of it (REV-3). */
import { z } from 'zod';

/** Sorted, so that the order in which keys, and the words of an enum, are written down does not count. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(item => typeof item === 'string') ? [...value].sort() : value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/**
 * One JSON schema (of what is accepted) for each type and version, `ReviewRequested@1`. What JSON Schema cannot say, as a transform's
 * own code, is not seen.
 */
export function schemaSnapshot(schemas: Readonly<Record<string, z.ZodType>>): string {
  const forms = Object.entries(schemas).map(([name, schema]) => [name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })]);
  return `${JSON.stringify(sorted(Object.fromEntries(forms)), null, 1)}\n`;
}
