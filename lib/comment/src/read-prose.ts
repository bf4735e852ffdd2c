/**
 * A model's message as blocks: paragraphs, lists, fenced code and code spans are kept; every other mark is text.
 */
import { oneLine, safeLines } from '@weir/report';
import { type Block, code, type Inline, text } from './comment-document.ts';

/** Longer messages end here, and say so; the review itself holds them whole. */
export const MAX_MESSAGE_CHARS = 6_000;
/** A longer paragraph becomes several, so that a comment is never cut inside one. */
const MAX_PARAGRAPH_CHARS = 1_000;

const FENCE = /^[ \t]{0,20}(`{3,20}|~{3,20})[ \t]{0,4}([\w+-]{0,20})/;
const ITEM = /^[ \t]{0,20}[-*+] (.*)$/;
const SPAN = /(?<!`)(`{1,2})(?!`)([^`]{1,200})\1(?!`)/g;

/** Text with its code spans. */
export function readSpans(line: string): readonly Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const span of line.matchAll(SPAN)) {
    if (span.index > end) parts.push(text(line.slice(end, span.index)));
    parts.push(code(span[2] ?? ''));
    end = span.index + span[0].length;
  }
  return end < line.length ? [...parts, text(line.slice(end))] : parts;
}

/** Pieces of at most the bound, none ending in half a character. */
function pieces(line: string): readonly string[] {
  const found: string[] = [];
  for (let rest = line; rest !== ''; ) {
    const last = rest.charCodeAt(MAX_PARAGRAPH_CHARS - 1);
    const size = last >= 0xd800 && last <= 0xdbff ? MAX_PARAGRAPH_CHARS - 1 : MAX_PARAGRAPH_CHARS;
    found.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return found;
}

interface Reading {
  readonly blocks: Block[];
  items: (readonly Inline[])[];
  code: { readonly fence: string; readonly language: string; readonly lines: string[] } | null;
}

function endList(reading: Reading): void {
  if (reading.items.length > 0) reading.blocks.push({ kind: 'list', items: reading.items });
  reading.items = [];
}

function endCode(reading: Reading): void {
  if (reading.code !== null) reading.blocks.push({ kind: 'code', language: reading.code.language, text: reading.code.lines.join('\n') });
  reading.code = null;
}

function readLine(reading: Reading, line: string): void {
  const [, fence, language = ''] = FENCE.exec(line) ?? [];
  if (reading.code !== null) {
    if (fence !== undefined && language === '' && fence.startsWith(reading.code.fence)) endCode(reading);
    else reading.code.lines.push(line);
    return;
  }
  const item = ITEM.exec(line)?.[1];
  if (item !== undefined) {
    reading.items.push(readSpans(oneLine(item)));
    return;
  }
  endList(reading);
  if (fence !== undefined) reading.code = { fence, language: language.toLowerCase(), lines: [] };
  else for (const piece of pieces(line.trim())) reading.blocks.push({ kind: 'sentence', parts: readSpans(piece) });
}

/** Blocks of a message; each of its lines is a paragraph, an item or a line of code. */
export function readProse(message: string): readonly Block[] {
  const clipped = message.length > MAX_MESSAGE_CHARS;
  const reading: Reading = { blocks: [], items: [], code: null };
  for (const line of safeLines(clipped ? message.slice(0, MAX_MESSAGE_CHARS) : message)) readLine(reading, line);
  endCode(reading);
  endList(reading);
  if (clipped)
    reading.blocks.push({
      kind: 'sentence',
      parts: [text(`The message goes on for ${message.length - MAX_MESSAGE_CHARS} characters; the review itself holds them.`)],
    });
  return reading.blocks;
}
