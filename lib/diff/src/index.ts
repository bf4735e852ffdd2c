export { type Anchor, anchorRange, type LineNumbers, type LineRange, lineInBoth, type Unanchorable } from './anchor-range.ts';
export { type CollectedFile, collectDiff, type DiffCollector, type DiffLimits } from './collect-diff.ts';
export type { DiffSink, FileHead, FileTail, HunkRange } from './diff-events.ts';
export { type DiffFile, type DiffLine, type FileKind, type Hunk, type LineKind, pathOf } from './diff-model.ts';
export { createDiffReader, type DiffReader } from './diff-reader.ts';
export { findQuote, type QuotePlace } from './find-quote.ts';
export { type DiffSide, indexFile, type LineIndex, lineAt, type SideSpan } from './line-index.ts';
export { createLosslessDecoder, decodeLossless, encodeLossless, type LosslessDecoder, losslessByteLength } from './lossless-text.ts';
export { parseDiff } from './parse-diff.ts';
