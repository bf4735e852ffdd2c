/**
 * Time of one anchor look-up on the dense diff's indexes, hits and misses, both sides. The goal is under 1 microsecond.
 * Run: npx tsx bench/diff/anchor.bench.ts
 */
import { anchorRange, type DiffSide, indexFile, lineAt, parseDiff } from '@weir/diff';
import { denseDiff } from './dense-diff.ts';
import { medians } from './medians.ts';

const LOOK_UPS = 1_000_000;
/** One number in three misses its side's hunks. */
const NUMBERS = 800;

const indexes = parseDiff(denseDiff()).map(indexFile);

const lookUp = (side: DiffSide | undefined) => (): number => {
  let found = 0;
  for (let i = 0; i < LOOK_UPS; i += 1) {
    const index = indexes[i % indexes.length];
    if (index !== undefined && anchorRange(index, { line: 1 + ((i * 7) % NUMBERS), side }).kind === 'anchor') found += 1;
  }
  return found;
};

const readLines = (): number => {
  let characters = 0;
  for (let i = 0; i < LOOK_UPS; i += 1) {
    const index = indexes[i % indexes.length];
    if (index !== undefined) characters += lineAt(index, 'new', 1 + ((i * 7) % NUMBERS))?.text.length ?? 0;
  }
  return characters;
};

const times = medians({
  'anchor, new side': lookUp('new'),
  'anchor, old side': lookUp('old'),
  'anchor, any side': lookUp(undefined),
  'line by number': readLines,
});
for (const [name, ms] of Object.entries(times)) console.log(`${name.padEnd(18)} ${((ms * 1_000_000) / LOOK_UPS).toFixed(0).padStart(5)} ns`);
