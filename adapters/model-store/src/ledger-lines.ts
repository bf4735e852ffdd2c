/** What both ledgers do with the lines of a call before they write, and after they read. */
import { type ChargeLine, TOKEN_TYPES } from '@weir/contract';
import { lineFault } from '@weir/model-pricing';

export const inOrder = <Line extends Pick<ChargeLine, 'tokenType'>>(lines: readonly Line[]): readonly Line[] =>
  [...lines].sort((left, right) => TOKEN_TYPES.indexOf(left.tokenType) - TOKEN_TYPES.indexOf(right.tokenType));

/**
 * In the order of the token types, so that two appends of one call never wait for each other in a circle.
 * @throws RangeError for lines that no price list makes: a fault of the caller.
 */
export function goodLines(lines: readonly ChargeLine[]): readonly ChargeLine[] {
  if (lines.length === 0) throw new RangeError('A call that happened has at least one line.');
  for (const line of lines) {
    const fault = lineFault(line);
    if (fault !== undefined) throw new RangeError(fault);
  }
  return inOrder(lines);
}
