export { applyOverlay } from './apply-overlay.ts';
export type { CompileNote, CompileProblem } from './compile-problem.ts';
export { COMPILER_VERSION, type CompiledTable, type CompileInput, type CompileResult, compileTable } from './compile-table.ts';
export { fillTemplate, type FilledTemplate } from './fill-template.ts';
export type { SpecFormat } from './open-description.ts';
export type { PaginationDefault } from './pagination-hint.ts';
export type { Selection } from './select-operations.ts';
export { type BreakingChange, type BreakingKind, structuralDiff, type StructuralDiff } from './structural-diff.ts';
