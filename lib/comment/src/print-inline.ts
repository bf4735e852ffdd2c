/** Prints the parts of a line in a forge's dialect. */
import { oneLine, visible } from '@weir/report';
import type { Dialect, Inline } from './comment-document.ts';
import { codeSpan, linkTarget, neutralText } from './neutral-text.ts';

export interface Pen {
  readonly dialect: Dialect;
  /** In a cell, where a bar ends the cell. */
  readonly cell: boolean;
}

/** A bar or a backslash in a code span would end or bend a cell; there the text stands without its span. */
const printCode = (value: string, cell: boolean): string => {
  const line = oneLine(value);
  return cell && /[|\\]/.test(line) ? neutralText(line) : codeSpan(line);
};

function printLink(value: string, url: string | null): string {
  const target = url === null ? undefined : linkTarget(url);
  const shown = neutralText(oneLine(value));
  return target === undefined ? shown : `[${shown}](${target})`;
}

function printPart(part: Inline, pen: Pen): string {
  switch (part.kind) {
    case 'text':
      return neutralText(visible(part.text));
    case 'code':
      return printCode(part.text, pen.cell);
    case 'strong':
      return `**${printInline(part.parts, pen).trim()}**`;
    case 'struck':
      return `~~${printInline(part.parts, pen).trim()}~~`;
    case 'link':
      return printLink(part.text, part.url);
    case 'change':
      return `${pen.dialect.change_sign}${part.number}`;
  }
}

export const printInline = (parts: readonly Inline[], pen: Pen): string => parts.map(part => printPart(part, pen)).join('');
