/**
 * Finds the source line of a character of a YAML scalar's value.
 * Values and sources differ: indentation is stripped, lines are folded, escapes are resolved.
 */

/** The parts of a parsed scalar that decide how its value lies in the source. */
export interface ScalarSource {
  readonly value: string;
  /** Source text from the scalar's first character to its last, header of a block included. */
  readonly source: string;
  /** 1-based line of the first character of `source`. */
  readonly line: number;
  readonly style: 'literal' | 'double' | 'other';
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\n' || character === '\t' || character === '\r';

const linesOfLiteral = ({ value, line }: ScalarSource): Uint32Array => {
  const lines = new Uint32Array(value.length + 1);
  let current = line + 1;
  for (let at = 0; at < value.length; at++) {
    lines[at] = current;
    if (value[at] === '\n') current++;
  }
  lines[value.length] = current;
  return lines;
};

/** Skips an escape of a double-quoted scalar; answers how many source characters come before the next plain one. */
const escapeLength = (source: string, at: number, wanted: string | undefined): number => (source[at + 1] === wanted ? 1 : 2);

/** Walks value and source side by side; blanks of either side carry no position of their own. */
const linesByAlignment = ({ value, source, line, style }: ScalarSource): Uint32Array => {
  const lines = new Uint32Array(value.length + 1);
  let at = 0;
  let current = line;
  const step = (count: number): void => {
    for (let n = 0; n < count && at < source.length; n++) if (source[at++] === '\n') current++;
  };
  for (let offset = 0; offset < value.length; offset++) {
    const wanted = value[offset];
    if (!isBlank(wanted)) {
      while (at < source.length && source[at] !== wanted) step(style === 'double' && source[at] === '\\' ? escapeLength(source, at, wanted) : 1);
    }
    lines[offset] = current;
    if (!isBlank(wanted)) step(1);
  }
  lines[value.length] = current;
  return lines;
};

/** Builds the look-up from an offset in the value to its 1-based source line; the work is done at the first call. */
export const lineFinder = (scalar: ScalarSource): ((offset: number) => number) => {
  let lines: Uint32Array | undefined;
  return offset => {
    lines ??= scalar.style === 'literal' ? linesOfLiteral(scalar) : linesByAlignment(scalar);
    return lines[Math.min(Math.max(offset, 0), scalar.value.length)] ?? scalar.line;
  };
};
