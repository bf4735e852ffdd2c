/** Finds private key blocks over the new side of a hunk, in one line (escaped line feeds) or over many. */
import type { DiffLine, Hunk } from '@weir/diff';
import { secretRules } from './rule-table.ts';
import type { BlockDetection, SecretRule } from './secret-rule.ts';

export interface KeyBlock {
  readonly rule: SecretRule;
  /** First and last added line of the block, on the new side. */
  readonly line: number;
  readonly endLine: number;
  /** The header line of the block, which holds nothing of the key. */
  readonly header: string;
  readonly encrypted: boolean;
}

interface Row {
  readonly rule: SecretRule;
  readonly detection: BlockDetection;
}

const rows: readonly Row[] = secretRules.flatMap(rule => rule.detect.flatMap(detection => (detection.kind === 'block' ? [{ rule, detection }] : [])));

/** Lines that a block has at most; a 16384-bit RSA key has about 200. */
const MAX_BLOCK_LINES = 400;
/** Characters of a line that are looked at. */
const MAX_LINE = 100_000;
const MIN_BODY = 64;
/** A key that code puts together from pieces; the shortest ones there are throw-away keys with which a library tries its algorithms. */
const MIN_JOINED_BODY = 100;
const JOINED = /^\s{0,200}[+.]\s{0,8}["'`]/;
const MIN_DISTINCT = 20;
const ENCRYPTED = /BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED|Encryption: aes/;
const DOC_COMMENT = /^\s{0,200}(?:\/\*)?\*/;
const MENTION = /PRIVATE KEY|PuTTY-User-Key-File/;
const ARMOUR = /-----[A-Z0-9 ]{5,60}-----/g;
const LINE_HEADER = /^[A-Z][A-Za-z0-9-]{1,40}: /;
/** Quotes, signs and comment marks of the code around a body line. */
const LINE_START = /^\s{0,200}[+.]\s{0,8}["'`]|^[\s"'`#|>]{1,200}|^\/\/\s{0,8}/;
const LINE_END = /["'`,;)\]\s]{1,40}[+.\\]?\s{0,8}$/;
const BASE64_WORDS = /^[A-Za-z0-9+/=]+(?: +[A-Za-z0-9+/=]+)*$/;

/** What a line of a block adds to its body: base64, nothing for a header or an empty line, undefined when the block has ended. */
function bodyOfLine(text: string): string | undefined {
  const plain = text
    .replace(ARMOUR, ' ')
    .replace(/\\+[nr]/g, ' ')
    .replace(LINE_START, '')
    .replace(LINE_END, '')
    .trim();
  if (plain === '' || LINE_HEADER.test(plain)) return '';
  return BASE64_WORDS.test(plain) ? plain.replaceAll(' ', '') : undefined;
}

/** Base64 of the block. Its first line counts from the header to the end of the literal. */
function bodyOf([first = '', ...rest]: readonly string[], header: string): string {
  const after = first.slice(first.indexOf(header) + header.length).split(/["'`]/)[0] ?? '';
  let body = header.startsWith('-----') ? (bodyOfLine(after) ?? '') : '';
  for (const line of rest) {
    const part = bodyOfLine(line);
    if (part === undefined) break;
    body += part;
  }
  return body;
}

const minBody = (texts: readonly string[]): number => (texts.slice(1).some(text => JOINED.test(text)) ? MIN_JOINED_BODY : MIN_BODY);

const looksLikeKey = (body: string, texts: readonly string[]): boolean =>
  body.length >= minBody(texts) && new Set(body).size >= MIN_DISTINCT && !/x{8,}|example|placeholder/i.test(body);

/** New-side lines of a block: from its begin to its end, to the next begin, or as far as the limit goes. */
function linesOfBlock(lines: readonly DiffLine[], from: number, { begin, end }: BlockDetection): readonly DiffLine[] {
  const limit = Math.min(lines.length, from + MAX_BLOCK_LINES);
  for (let index = from; index < limit; index++) {
    const text = (lines[index]?.text ?? '').slice(0, MAX_LINE);
    if (index > from && begin.test(text)) return lines.slice(from, index);
    if (end.test(text)) return lines.slice(from, index + 1);
  }
  return lines.slice(from, limit);
}

function readBlock(row: Row, block: readonly DiffLine[], header: string): KeyBlock | undefined {
  const added = block.filter(line => line.kind === 'added');
  const texts = block.map(line => line.text.slice(0, MAX_LINE));
  const first = added[0]?.new;
  const last = added.at(-1)?.new;
  if (first == null || last == null || texts.slice(0, 3).some(text => DOC_COMMENT.test(text)) || !looksLikeKey(bodyOf(texts, header), texts)) return undefined;
  return { rule: row.rule, line: first, endLine: last, header, encrypted: texts.slice(0, 4).some(text => ENCRYPTED.test(text)) };
}

/** Rows whose neighbouring text the hunk has. */
const rowsFor = (lines: readonly DiffLine[]): readonly Row[] =>
  rows.filter(({ detection: { near } }) => near === undefined || lines.some(line => near.test(line.text.slice(0, MAX_LINE))));

/** Key blocks of a hunk with at least one added line; each by the first row that fits. */
export function scanKeyBlocks(hunk: Hunk): KeyBlock[] {
  const lines = hunk.lines.filter(line => line.kind !== 'removed');
  const begins = lines.flatMap(({ text }, index) => (MENTION.test(text.slice(0, MAX_LINE)) ? [index] : []));
  const candidates = begins.length === 0 ? [] : rowsFor(lines);
  const blocks: KeyBlock[] = [];
  for (const index of begins) {
    const text = (lines[index]?.text ?? '').slice(0, MAX_LINE);
    const row = candidates.find(({ detection }) => detection.begin.test(text));
    if (row === undefined) continue;
    const block = readBlock(row, linesOfBlock(lines, index, row.detection), row.detection.begin.exec(text)?.[0] ?? '');
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}
