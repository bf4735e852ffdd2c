/** Plants made-up secrets among ordinary lines; the same seed plants the same ones. */
import type { DiffFile } from '@weir/diff';
import { addedFile } from './added-file.ts';
import { fileShapes } from './file-shapes.ts';
import { createRandom } from './random.ts';
import { secretFormats } from './secret-formats.ts';
import { specialPlaces } from './special-places.ts';

export interface Planted {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  /** Rule that is expected to report it, `secrets/<name>`. */
  readonly rule: string;
  /** The planted text; multi-line secrets hold all lines. */
  readonly secret: string;
}

export interface Corpus {
  readonly files: readonly DiffFile[];
  readonly planted: readonly Planted[];
}

/**
 * @param seed of the made-up secrets
 * @param rounds how many file shapes each format is planted in, and how often each special place is
 */
export function buildCorpus(seed: number, rounds: number): Corpus {
  const random = createRandom(seed);
  const files: DiffFile[] = [];
  const planted: Planted[] = [];
  const add = (path: string, rule: string, lines: readonly string[], around: readonly string[]) => {
    const name = `case-${files.length}/${path}`;
    files.push(addedFile(name, [...around, ...lines, ...around]));
    const line = around.length + 1;
    planted.push({ path: name, line, endLine: line + lines.length - 1, rule: `secrets/${rule}`, secret: lines.join('\n') });
  };
  for (let round = 0; round < rounds; round++) {
    secretFormats.forEach((format, index) => {
      const shape = fileShapes[(index + round * 7) % fileShapes.length] ?? fileShapes[0];
      add(shape.path, format.rule, [shape.line(format.variable, format.make(random))], shape.around);
    });
    for (const place of specialPlaces) add(place.path, place.rule, place.lines(random), ['# orders']);
  }
  return { files, planted };
}
