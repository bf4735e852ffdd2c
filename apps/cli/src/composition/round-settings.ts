/** What a round needs of the settings, as plain data: the same for a local review and for one on a forge. */
import type { ModelLimits, RoundSettings } from '@weir/review-workers';
import type { LoadedSettings } from './load-settings.ts';
import { loadSpecialists } from './specialists.ts';

/** Throws CONFIG_INVALID for a specialist that does not exist. */
export async function roundSettings(settings: LoadedSettings): Promise<RoundSettings> {
  const list = (name: Parameters<LoadedSettings['get']>[0]): readonly string[] => settings.get<readonly string[]>(name);
  return {
    specialists: await loadSpecialists(list('review.specialists')),
    maxFileBytes: settings.get<number>('review.maxFileBytes'),
    maxDiffBytes: settings.get<number>('review.maxDiffBytes'),
    maxFindings: settings.get<number>('review.maxFindings'),
    rulesFiles: list('review.rulesFiles'),
    ignore: {
      exclude: list('review.exclude'),
      titles: list('review.ignoreTitles'),
      branches: list('review.ignoreBranches'),
      authors: list('review.ignoreAuthors'),
      labels: list('review.ignoreLabels'),
      generated: settings.get<boolean>('review.ignoreGenerated'),
    },
    refused: settings.resolved.refused,
  };
}

export const modelLimits = (settings: LoadedSettings): ModelLimits => ({
  contextTokens: settings.get<number>('model.contextTokens'),
  maxOutputTokens: settings.get<number>('model.maxOutputTokens'),
  maxCalls: settings.get<number>('model.maxCalls'),
});
