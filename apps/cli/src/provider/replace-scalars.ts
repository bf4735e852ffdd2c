/** Replaces single values of a hand-written YAML file in place: comments, order and style of everything else stay. */
import { AppError } from '@weir/kernel';
import { isScalar, parseDocument } from 'yaml';

export interface Replacement {
  readonly key: readonly string[];
  /** Plain text that needs no quotes: a digest, a date. */
  readonly value: string;
}

/** Throws DESCRIPTOR_INVALID where a key has no value of its own in this text, for example since it is inherited. */
export function replaceScalars(text: string, replacements: readonly Replacement[]): string {
  const document = parseDocument(text);
  const places = replacements.map(({ key, value }) => {
    const node: unknown = document.getIn(key, true);
    if (!isScalar(node) || !node.range)
      throw new AppError('DESCRIPTOR_INVALID', `the descriptor has no ${key.join('.')} of its own`, { next: `Add it, with the value ${value}.` });
    return { from: node.range[0], to: node.range[1], value };
  });
  let replaced = text;
  for (const { from, to, value } of places.sort((a, b) => b.from - a.from)) replaced = replaced.slice(0, from) + value + replaced.slice(to);
  return replaced;
}
