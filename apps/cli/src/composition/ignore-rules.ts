/** Compiles the globs and patterns of the settings into the questions that the ignore policy asks (REV-20d). */
import type { LocalChange } from '@weir/ports';
import { compileGlobs, compilePatterns, type IgnoreRules } from '@weir/review';
import type { LoadedSettings } from './load-settings.ts';

export async function ignoreRules(settings: LoadedSettings, change: LocalChange, paths: readonly string[]): Promise<IgnoreRules> {
  const list = (name: Parameters<LoadedSettings['get']>[0]): readonly string[] => settings.get<readonly string[]>(name);
  const generated = settings.get<boolean>('review.ignoreGenerated') && change.generated ? await change.generated(paths) : new Set<string>();
  return {
    exclude: compileGlobs(list('review.exclude')),
    titles: compilePatterns(list('review.ignoreTitles')),
    branches: compilePatterns(list('review.ignoreBranches')),
    authors: compilePatterns(list('review.ignoreAuthors')),
    generated,
  };
}
