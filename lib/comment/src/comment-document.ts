/**
 * A comment before it is printed: a small tree. Text in it is never markup; what a mark needs is a node of its own,
 * so that nothing has to be taken out of printed text afterwards (80-surfaces 3.2).
 */
import type { ProviderDescriptor } from '@weir/contract';
import type { Marker } from './marker.ts';

/** What a forge's comments can show; `dialect` of its descriptor. */
export type Dialect = NonNullable<ProviderDescriptor['dialect']>;

export type Inline =
  /** Prose of any origin; printed so that it is shown and does nothing. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly parts: readonly Inline[] }
  | { readonly kind: 'struck'; readonly parts: readonly Inline[] }
  /** An address that Weir built; any other is printed as its text alone. */
  | { readonly kind: 'link'; readonly text: string; readonly url: string | null }
  /** The change itself, which the forge links: `#12` or `!12`. */
  | { readonly kind: 'change'; readonly number: number };

export type Block =
  | { readonly kind: 'sentence'; readonly parts: readonly Inline[] }
  /** Small print at the end. */
  | { readonly kind: 'footer'; readonly parts: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  /** Boxes that a person ticks; left out where a forge has none. */
  | { readonly kind: 'tasks'; readonly items: readonly { readonly key: string; readonly text: string }[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  /** Printed between its fences unchanged: `info` is the fence's word. */
  | { readonly kind: 'suggestion'; readonly info: string; readonly text: string }
  | { readonly kind: 'fold'; readonly summary: string; readonly blocks: readonly Block[] };

export interface CommentDocument {
  /** Null for a text that no one has to find again. */
  readonly marker: Marker | null;
  readonly blocks: readonly Block[];
  /** Always printed, so short. */
  readonly footer: readonly Inline[];
  /** Where the whole stands, for a comment that has no room for it. */
  readonly whole: string | null;
}

export interface RenderedComment {
  readonly body: string;
  /** Rows, items and blocks that had no room; the body says so. */
  readonly leftOut: number;
}

export const text = (value: string): Inline => ({ kind: 'text', text: value });
export const code = (value: string): Inline => ({ kind: 'code', text: value });
export const strong = (...parts: readonly Inline[]): Inline => ({ kind: 'strong', parts });
export const link = (value: string, url: string | null): Inline => ({ kind: 'link', text: value, url });
export const sentence = (...parts: readonly Inline[]): Block => ({ kind: 'sentence', parts });
