/**
 * A whole diff as a model, for text that is in memory already.
 */
import type { DiffFile } from './diff-model.ts';
import { createDiffReader } from './diff-reader.ts';
import { createModelBuilder } from './model-builder.ts';

/**
 * The files of a unified or combined diff, in its order. Never throws: a section that can't be read stays in the list with
 * its `problem`. The lines are slices of `text` and keep it in memory. For untrusted sizes use `collectDiff`.
 */
export const parseDiff = (text: string): DiffFile[] => {
  const builder = createModelBuilder();
  const reader = createDiffReader(builder);
  reader.push(text);
  reader.end();
  return builder.files;
};
