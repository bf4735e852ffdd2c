/**
 * Prints one block of a comment within the room that is left. A block never breaks in the middle: rows and items that do
 * not fit are left out whole and counted.
 */
import { oneLine, safeLines } from '@weir/report';
import type { Block, Dialect, Inline } from './comment-document.ts';
import { taskMark } from './marker.ts';
import { fenced, guardLineStart, neutralHtml, neutralText, ZERO_WIDTH_SPACE } from './neutral-text.ts';
import { printInline } from './print-inline.ts';

export interface Printed {
  /** Empty when nothing had room. */
  readonly text: string;
  readonly leftOut: number;
}

const whole = (printed: string, room: number, weight = 1): Printed => (printed.length <= room ? { text: printed, leftOut: 0 } : { text: '', leftOut: weight });

const paragraph = (parts: readonly Inline[], dialect: Dialect): string => guardLineStart(printInline(parts, { dialect, cell: false }));

/** Joins lines under a fixed head while they fit. */
function lines(head: string, rows: readonly string[], room: number): Printed {
  let text = head;
  let taken = 0;
  for (const row of rows) {
    const next = text === '' ? row : `${text}\n${row}`;
    if (next.length > room) break;
    text = next;
    taken += 1;
  }
  return taken === 0 ? { text: '', leftOut: rows.length } : { text, leftOut: rows.length - taken };
}

type Table = Extract<Block, { kind: 'table' }>;

function printTable({ head, rows }: Table, dialect: Dialect, room: number): Printed {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const top = `${row(head)}\n${row(head.map(() => '---'))}`;
  return lines(
    top,
    rows.map(cells => row(cells.map(cell => printInline(cell, { dialect, cell: true })))),
    room,
  );
}

/** One forge runs a command that starts a line, and its own idea of what is code ends at any three backticks. */
const codeLines = (text: string): string =>
  safeLines(text)
    .map(line => (/^\/\p{L}/u.test(line) ? ZERO_WIDTH_SPACE + line : line))
    .join('\n');

function printFold(fold: Extract<Block, { kind: 'fold' }>, dialect: Dialect, room: number): Printed {
  const summary = oneLine(fold.summary);
  const [open, close] = dialect.fold ? [`<details><summary>${neutralHtml(summary)}</summary>\n\n`, '\n\n</details>'] : [`**${neutralText(summary)}**\n\n`, ''];
  const inside = printBlocks(fold.blocks, dialect, room - open.length - close.length);
  return inside.text === '' ? inside : { text: open + inside.text + close, leftOut: inside.leftOut };
}

/** Boxes need a forge that shows them, and a hidden key to know them by. */
function printTasks(items: Extract<Block, { kind: 'tasks' }>['items'], dialect: Dialect, room: number): Printed {
  if (!dialect.task_list || !dialect.hidden_marker) return { text: '', leftOut: 0 };
  const rows = items.map(({ key, text }) => `- [ ] ${neutralText(oneLine(text))} ${taskMark(key)}`);
  return lines('', rows, room);
}

/** @param room UTF-16 units that the block may take. */
function printBlock(block: Block, dialect: Dialect, room: number): Printed {
  switch (block.kind) {
    case 'sentence':
      return whole(paragraph(block.parts, dialect), room);
    case 'footer':
      return whole(dialect.fold ? `<sub>${printInline(block.parts, { dialect, cell: false })}</sub>` : paragraph(block.parts, dialect), room);
    case 'list':
      return lines(
        '',
        block.items.map(item => `- ${paragraph(item, dialect)}`),
        room,
      );
    case 'tasks':
      return printTasks(block.items, dialect, room);
    case 'table':
      return printTable(block, dialect, room);
    case 'code':
      return whole(fenced(/^[a-z0-9+-]{0,20}$/.test(block.language) ? block.language : '', codeLines(block.text)), room);
    case 'suggestion':
      return whole(fenced(block.info, block.text), room);
    case 'fold':
      return printFold(block, dialect, room);
  }
}

const GAP = '\n\n';

/** Prints blocks in order, each in the room that those before it left. A later, smaller one may still fit. */
export function printBlocks(blocks: readonly Block[], dialect: Dialect, room: number): Printed {
  let text = '';
  let leftOut = 0;
  for (const block of blocks) {
    const gap = text === '' ? '' : GAP;
    const printed = printBlock(block, dialect, room - text.length - gap.length);
    leftOut += printed.leftOut;
    if (printed.text !== '') text += gap + printed.text;
  }
  return { text, leftOut };
}
