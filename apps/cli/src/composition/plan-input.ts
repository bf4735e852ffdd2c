/** What the prompts of a change are planned from; the same for a review and for `weir debug prompt`. */
import { randomBytes } from 'node:crypto';
import type { DiffFile } from '@weir/diff';
import type { LocalChange } from '@weir/ports';
import type { PlanPromptsInput } from '@weir/review-workers';
import type { LoadedSettings } from './load-settings.ts';
import { readRules } from './read-rules.ts';
import { loadSpecialists } from './specialists.ts';

/** Bytes of a fence word: more than anybody can guess within one call. */
const FENCE_BYTES = 12;

export async function planInput(change: LocalChange, settings: LoadedSettings, files: readonly DiffFile[]): Promise<PlanPromptsInput> {
  const specialists = await loadSpecialists(settings.get<readonly string[]>('review.specialists'));
  return {
    specialists: specialists.filter(specialist => specialist.review?.prompt !== undefined),
    files,
    rules: await readRules(change, settings),
    contextTokens: settings.get<number>('model.contextTokens'),
    maxOutputTokens: settings.get<number>('model.maxOutputTokens'),
    maxCalls: settings.get<number>('model.maxCalls'),
    fence: () => randomBytes(FENCE_BYTES).toString('hex'),
  };
}
