/** Content parts in the three protocols' forms. A part that came in the same protocol goes as it came. */
import { RequestProblem } from './gateway-failure.ts';
import type { ImageSource, Part } from './item.ts';
import { type JsonObject, present } from './json.ts';

const dataUrl = (source: ImageSource): string | undefined => {
  if (source.kind === 'data') return `data:${source.mediaType};base64,${source.data}`;
  return source.kind === 'url' ? source.url : undefined;
};

/** @throws RequestProblem: content that the protocol cannot carry is refused and never dropped, since the answer would be about something else. */
function unsupported(what: string): never {
  throw new RequestProblem('unsupported_content', `The route's protocol cannot carry ${what.slice(0, 80)}.`);
}

/** Empty text is dropped: no protocol needs it and some refuse it. */
export const withoutEmpty = (parts: readonly Part[]): readonly Part[] =>
  parts.filter(part => !((part.type === 'text' || part.type === 'refusal') && part.text === ''));

export interface PartStyle {
  /** The protocol is the client's, so that a part can go as it came. */
  readonly native: boolean;
}

export function responsesPart(part: Part, { native, output }: PartStyle & { readonly output: boolean }): JsonObject {
  if (native && part.wire !== undefined) return part.wire;
  switch (part.type) {
    case 'text':
      return output ? { type: 'output_text', text: part.text, annotations: [] } : { type: 'input_text', text: part.text };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'image':
      return part.source.kind === 'file'
        ? unsupported('an image that another provider stores')
        : present({ type: 'input_image', image_url: dataUrl(part.source), detail: part.detail });
    case 'opaque':
      return unsupported(`content of type ${part.name}`);
  }
}

export function chatPart(part: Part, { native }: PartStyle): JsonObject {
  if (native && part.wire !== undefined) return part.wire;
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text };
    case 'image':
      return part.source.kind === 'file'
        ? unsupported('an image that another provider stores')
        : { type: 'image_url', image_url: present({ url: dataUrl(part.source), detail: chatDetail(part.detail) }) };
    case 'opaque':
      return unsupported(`content of type ${part.name}`);
  }
}

/** Chat knows three words for the detail of an image; Codex sends others, which mean the best there is. */
const chatDetail = (detail: string | undefined): string | undefined =>
  detail === undefined || detail === 'low' || detail === 'high' || detail === 'auto' ? detail : 'high';

export function messagesPart(part: Part, { native }: PartStyle): JsonObject {
  if (native && part.wire !== undefined) return part.wire;
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image', source: messagesSource(part.source) };
    case 'opaque':
      return unsupported(`content of type ${part.name}`);
  }
}

function messagesSource(source: ImageSource): JsonObject {
  if (source.kind === 'file') return unsupported('an image that another provider stores');
  return source.kind === 'url' ? { type: 'url', url: source.url } : { type: 'base64', media_type: source.mediaType, data: source.data };
}

/** Texts of the parts, joined; undefined when a part is not text. */
export function plainText(parts: readonly Part[], separator: string): string | undefined {
  const texts = parts.map(part => (part.type === 'text' || part.type === 'refusal' ? part.text : undefined));
  return texts.every(text => text !== undefined) ? texts.join(separator) : undefined;
}
