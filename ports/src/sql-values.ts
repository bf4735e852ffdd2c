/**
 * How values travel between JavaScript and PostgreSQL: always as PostgreSQL's own text format, decided by the value on the
 * way in and by the type of the column on the way out. Both databases use this one table, so they answer alike.
 *
 * In: null, boolean, finite or special number, bigint, string, Date, Uint8Array, an array of these (a PostgreSQL array, up
 * to six dimensions), any other plain object (JSON text). A JSON array has to be handed as `JSON.stringify` text.
 * Out: boolean; int2, int4, oid, float4, float8 as number; int8 and numeric as text; json and jsonb parsed; bytea as
 * Uint8Array; timestamptz as ISO 8601 in UTC (`2026-01-02T03:04:05.678Z`, what `toISOString` gives, and six digits where
 * the column holds microseconds); arrays of all these as arrays; everything else as PostgreSQL's text.
 */
import { readSqlArray, writeSqlArray } from './sql-array.ts';

type Decoder = (text: string) => unknown;

const HEX_DIGITS = '0123456789abcdef';
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => `${HEX_DIGITS.charAt(byte >> 4)}${HEX_DIGITS.charAt(byte & 15)}`);

function toHex(bytes: Uint8Array): string {
  let hex = '\\x';
  for (const byte of bytes) hex += HEX_OF_BYTE[byte] ?? '';
  return hex;
}

const nibble = (code: number): number => (code <= 57 ? code - 48 : (code | 32) - 87);

function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - 2) / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = (nibble(text.charCodeAt(index * 2 + 2)) << 4) | nibble(text.charCodeAt(index * 2 + 3));
  }
  return bytes;
}

const TIMESTAMP_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** `infinity`, years before Christ and years beyond 9999 have no ISO form here and stay PostgreSQL's text. */
function toIso(text: string): string {
  const match = TIMESTAMP_UTC.exec(text);
  if (match === null) return text;
  const [, day = '', time = '', fraction = ''] = match;
  return `${day}T${time}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

const asText: Decoder = text => text;
const asJson: Decoder = text => JSON.parse(text) as unknown;

/** [type, array of the type, decoder], by the object ids of PostgreSQL's catalogue `pg_type`, which are fixed. */
const TYPES: readonly (readonly [number, number, Decoder])[] = [
  [16, 1000, text => text === 't'],
  [17, 1001, fromHex],
  [18, 1002, asText],
  [19, 1003, asText],
  [20, 1016, asText],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, asText],
  [26, 1028, Number],
  [114, 199, asJson],
  [700, 1021, Number],
  [701, 1022, Number],
  [1042, 1014, asText],
  [1043, 1015, asText],
  [1082, 1182, asText],
  [1114, 1115, asText],
  [1184, 1185, toIso],
  [1700, 1231, asText],
  [2950, 2951, asText],
  [3802, 3807, asJson],
];

const DECODERS: ReadonlyMap<number, Decoder> = new Map(
  TYPES.flatMap(([type, array, decode]): [number, Decoder][] => [
    [type, decode],
    [array, text => readSqlArray(text, decode)],
  ]),
);

/** The decoder of a column, by the object id of its type; types without a row stay text. */
export function sqlDecoder(type: number): Decoder {
  return DECODERS.get(type) ?? asText;
}

/** The text of a parameter; null for SQL's NULL; undefined when the value cannot travel (undefined, a function, a symbol). */
export function encodeSqlValue(value: unknown): string | null | undefined {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return writeSqlArray(value, encodeSqlValue);
  return typeof value === 'object' ? JSON.stringify(value) : undefined;
}
