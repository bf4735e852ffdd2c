export { checkModel, checkModelProvider } from './check-rows.ts';
export { type ChangeRefusal, refuseModelChange, refuseProviderDeletion } from './model-change.ts';
export { MODEL_PRESETS, type ModelPreset, type ModelPresetName } from './presets.ts';
export { providerFromPreset } from './provider-from-preset.ts';
export { refOf, type ResolvedRoute, resolveRoute, type RouteRefusal, type RouteResolution } from './resolve-route.ts';
export type { RowCheck, RowProblem } from './row-check.ts';
export { allowsRoute, budgetRefusal, virtualKeyState, type VirtualKeyState } from './virtual-key-rules.ts';
