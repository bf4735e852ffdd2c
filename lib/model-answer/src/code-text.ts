/**
 * Code inside an answer: a quote or a suggestion. Models wrap it in a code fence or split it into a list of lines.
 */
import type { JsonNode } from './json-node.ts';

const NOTHING: readonly string[] = ['', 'null', 'none', 'n/a', 'undefined'];

/** Takes off a code fence that surrounds the whole text. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  const lineEnd = trimmed.indexOf('\n');
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```') || lineEnd < 0) return text;
  const inside = trimmed.slice(lineEnd + 1, -3);
  return inside.includes('```') ? text : inside.replace(/\r?\n$/, '');
}

function rawText(node: JsonNode | undefined): string | null | undefined {
  switch (node?.kind) {
    case undefined:
      return null;
    case 'text':
      return node.text;
    case 'literal':
      return node.value === null || node.value === false ? null : String(node.value);
    case 'array': {
      const lines = node.items.map(item => (item.kind === 'text' ? item.text : undefined));
      return lines.includes(undefined) ? undefined : lines.join('\n');
    }
    case 'object':
      return rawText(node.entries.find(entry => entry.value.kind === 'text' && /code|text|replacement|suggestion/i.test(entry.key))?.value) ?? undefined;
  }
}

/** The code, null where there is none, undefined where something stands that is no code. */
export function codeText(node: JsonNode | undefined): string | null | undefined {
  const raw = rawText(node);
  if (typeof raw !== 'string') return raw;
  return NOTHING.includes(raw.trim().toLowerCase()) ? null : withoutFence(raw);
}
