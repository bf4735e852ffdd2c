export { findPlants, type Plant } from './find-plants.ts';
export { MODES, type Mode } from './modes.ts';
export { type ScriptedModel, type ScriptedModelOptions, type SeenRequest, startScriptedModel } from './start-scripted-model.ts';
