export { type DiffFile, type DiffLine, type FileKind, type Hunk, type LineKind, pathOf } from './diff-model.ts';
