/**
 * Prints a comment within the size that a forge takes (REV-18a): mark, blocks, small print. What has no room is counted in a
 * sentence of the comment itself; nothing is cut silently (REV-14).
 */
import { type CommentDocument, type Dialect, link, type RenderedComment, sentence, text } from './comment-document.ts';
import { hiddenMark, shownMark } from './marker.ts';
import { printBlocks } from './print-block.ts';

/** A sentence that counts what was left out, with its link. */
const notice = (leftOut: number, { whole }: CommentDocument, { max_body }: Dialect) =>
  sentence(
    text(`Left out here: ${leftOut} ${leftOut === 1 ? 'part' : 'parts'}, since a comment holds ${max_body} characters. `),
    whole === null ? text('The review itself has them all.') : link('The review has them all.', whole),
  );

const MOST = 1_000_000_000;
const GAP = '\n\n';

/** @returns a body of at most `dialect.max_body` UTF-16 units, from 500 units on. */
export function printDocument(document: CommentDocument, dialect: Dialect): RenderedComment {
  const { marker, blocks, footer } = document;
  const hidden = marker !== null && dialect.hidden_marker ? hiddenMark(marker) + GAP : '';
  const shown = marker !== null && !dialect.hidden_marker ? GAP + shownMark(marker) : '';
  const room = dialect.max_body - hidden.length - shown.length;
  const small = footer.length === 0 ? '' : printBlocks([{ kind: 'footer', parts: footer }], dialect, Math.floor(room / 4)).text;
  const tail = small === '' ? shown : GAP + small + shown;
  const all = printBlocks(blocks, dialect, dialect.max_body - hidden.length - tail.length);
  if (all.leftOut === 0) return { body: (hidden + all.text + tail).trim(), leftOut: 0 };
  const reserve = printBlocks([notice(MOST, document, dialect)], dialect, room).text.length + GAP.length;
  const { text: kept, leftOut } = printBlocks(blocks, dialect, dialect.max_body - hidden.length - tail.length - reserve);
  const said = printBlocks([notice(leftOut, document, dialect)], dialect, reserve).text;
  return { body: (hidden + [kept, said].filter(part => part !== '').join(GAP) + tail).trim(), leftOut };
}
