/** A row for a new model provider: a preset's, with what the operator says otherwise. */
import type { ModelProvider } from '@weir/contract';
import { nearestName } from '@weir/operation-table';
import { checkModelProvider } from './check-rows.ts';
import { MODEL_PRESETS, type ModelPreset } from './presets.ts';
import type { RowCheck } from './row-check.ts';

/** @param changes `name` is the preset's where it is left out; `baseUrl` is needed where the preset has none. */
export function providerFromPreset(preset: string, changes: Partial<ModelProvider>): RowCheck<ModelProvider> {
  const presets: Readonly<Record<string, ModelPreset>> = MODEL_PRESETS;
  const found = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (found === undefined) {
    const nearest = nearestName(preset, Object.keys(presets));
    const message = `there is no preset ${preset}${nearest === undefined ? '' : `; did you mean ${nearest}?`}. Presets: ${Object.keys(presets).join(', ')}`;
    return { ok: false, problems: [{ path: 'preset', message }] };
  }
  const { baseUrlHint, ...row } = found;
  const baseUrl = changes.baseUrl ?? row.baseUrl;
  if (baseUrl === null) return { ok: false, problems: [{ path: 'baseUrl', message: `${preset} has an address of your own: ${baseUrlHint ?? ''}` }] };
  return checkModelProvider({ name: preset, ...row, ...changes, baseUrl: baseUrl.replace(/\/$/, '') });
}
