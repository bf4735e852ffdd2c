/**
 * Parse time of a dense 6.5 MB diff: ours from text and from bytes, jsdiff 9, and the floor (one search for line feeds).
 * Run: npx tsx bench/diff/parse.bench.ts. Rounds are interleaved; medians are printed.
 */
import { parsePatch } from 'diff';
import { createLosslessDecoder, decodeLossless, parseDiff } from '@weir/diff';
import { isUtf8 } from 'node:buffer';
import { denseDiff } from './dense-diff.ts';
import { medians } from './medians.ts';

const text = denseDiff();
const bytes = Buffer.from(text);

const countLineFeeds = (): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
};

const times = medians({
  floor: countLineFeeds,
  'weir, from text': () => parseDiff(text).length,
  'weir, from bytes': () => parseDiff(isUtf8(bytes) ? bytes.toString('utf8') : decodeLossless(bytes)).length,
  'weir, pure decoding': () => parseDiff(decodeLossless(bytes)).length,
  'weir, decoding alone': () => createLosslessDecoder().push(bytes).length,
  'jsdiff 9, from text': () => parsePatch(text).length,
  'jsdiff 9, from bytes': () => parsePatch(new TextDecoder().decode(bytes)).length,
});

const jsdiff = times['jsdiff 9, from text'] ?? Number.NaN;
console.log(`${text.length} characters, ${countLineFeeds()} lines, ${parseDiff(text).length} files`);
for (const [name, ms] of Object.entries(times)) console.log(`${name.padEnd(22)} ${ms.toFixed(1).padStart(7)} ms   ${(ms / jsdiff).toFixed(2)} of jsdiff`);
