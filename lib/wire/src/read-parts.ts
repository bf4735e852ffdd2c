/** Content parts of the three protocols, to the one form. A plain string is one text part. */
import type { ImageSource, Part } from './item.ts';
import { asObject, asText, isObject, type JsonObject } from './json.ts';

type Reader = (part: JsonObject) => Part | undefined;

const text = (wire: JsonObject, value: unknown): Part => ({ type: 'text', text: asText(value) ?? '', wire });
const refusal = (wire: JsonObject): Part => ({ type: 'refusal', text: asText(wire['refusal']) ?? '', wire });
const image = (wire: JsonObject, source: ImageSource | undefined, detail: unknown): Part | undefined =>
  source === undefined ? undefined : { type: 'image', source, detail: asText(detail), wire };

const DATA_URL = /^data:([a-zA-Z0-9.+/-]{1,100});base64,/;

function urlSource(value: unknown): ImageSource | undefined {
  const url = asText(value);
  if (url === undefined) return undefined;
  const data = DATA_URL.exec(url.slice(0, 160));
  return data?.[1] === undefined ? { kind: 'url', url } : { kind: 'data', mediaType: data[1], data: url.slice(data[0].length) };
}

const fileSource = (value: unknown): ImageSource | undefined => {
  const id = asText(value);
  return id === undefined ? undefined : { kind: 'file', id };
};

function messagesSource(source: JsonObject | undefined): ImageSource | undefined {
  const data = asText(source?.['data']);
  if (source?.['type'] === 'base64' && data !== undefined) return { kind: 'data', mediaType: asText(source['media_type']) ?? 'image/png', data };
  return source?.['type'] === 'url' ? urlSource(source['url']) : fileSource(source?.['file_id']);
}

/** Part types by name; the names of the protocols do not overlap in a harmful way. */
const READERS: Readonly<Record<string, Reader>> = {
  text: part => text(part, part['text']),
  input_text: part => text(part, part['text']),
  output_text: part => text(part, part['text']),
  refusal,
  input_image: part => image(part, urlSource(part['image_url']) ?? fileSource(part['file_id']), part['detail']),
  image_url: part => image(part, urlSource(asObject(part['image_url'])?.['url'] ?? part['image_url']), asObject(part['image_url'])?.['detail']),
  image: part => image(part, messagesSource(asObject(part['source'])), undefined),
  // What Claude Code's tool search found; the declarations themselves come in `tools`, so the name is all that another protocol needs.
  tool_reference: part => text(part, asText(part['tool_name'])),
};

export function readPart(part: unknown): Part {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isObject(part)) return { type: 'opaque', name: 'unknown', wire: {} };
  const type = asText(part['type']) ?? 'unknown';
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return reader?.(part) ?? { type: 'opaque', name: type, wire: part };
}

export function readParts(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(readPart) : [];
}
