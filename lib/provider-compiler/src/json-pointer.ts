/**
 * JSON Pointers (RFC 6901): written to name a place in a description, read to follow a local `$ref` or an overlay entry.
 */
import { asObject } from './json-value.ts';

/** A pointer of raw segments: `pointer('paths', '/a', 'get')` is `/paths/~1a/get`. */
export const pointer = (...segments: readonly (string | number)[]): string => segments.map(segment => `/${escape(String(segment))}`).join('');

const escape = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/** Segments of a pointer; undefined where the text is no pointer. */
export function parsePointer(text: string): readonly string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/')) return undefined;
  return text
    .slice(1)
    .split('/')
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer of a local reference such as `#/definitions/A%20B`; undefined for any other reference. */
export function localPointer(reference: string): string | undefined {
  if (reference === '#') return '';
  if (!reference.startsWith('#/')) return undefined;
  const fragment = reference.slice(1);
  if (!fragment.includes('%')) return fragment;
  // `decodeURIComponent` throws on a broken escape; such a reference points nowhere.
  return /%(?![0-9a-f]{2})/i.test(fragment) ? undefined : decodeAscii(fragment);
}

/** Percent-decoding of ASCII only: names in descriptions are ASCII, and other escapes stay as they are. */
const decodeAscii = (text: string): string => text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What stands at a pointer; undefined where nothing does. Own members only. */
export function valueAt(root: unknown, segments: readonly string[]): unknown {
  let here: unknown = root;
  for (const segment of segments) {
    if (Array.isArray(here)) here = /^(0|[1-9]\d{0,8})$/.test(segment) ? here[Number(segment)] : undefined;
    else {
      const object = asObject(here);
      here = object !== undefined && Object.hasOwn(object, segment) ? object[segment] : undefined;
    }
    if (here === undefined) return undefined;
  }
  return here;
}
