/** Compiles the operator's globs into the questions that the ignore policy asks (REV-20d). */
import type { LocalChange } from '@weir/ports';
import type { IgnoreRules, Matches } from '@weir/review';
import picomatch from 'picomatch';
import type { LoadedSettings } from './load-settings.ts';

/** A glob without a slash matches the name in any folder, as in .gitignore. */
const pathGlob = (glob: string): string => (glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`);

const compile = (globs: readonly string[]): Matches => (globs.length === 0 ? () => false : picomatch([...globs], { dot: true }));

/** Titles and authors are texts, not paths: a slash in them is nothing special. */
const compileText = (globs: readonly string[]): Matches => {
  const matches = compile(globs.map(glob => glob.replaceAll('/', '\u2215')));
  return text => matches(text.replaceAll('/', '\u2215'));
};

export async function ignoreRules(settings: LoadedSettings, change: LocalChange, paths: readonly string[]): Promise<IgnoreRules> {
  const list = (name: Parameters<LoadedSettings['get']>[0]): readonly string[] => settings.get<readonly string[]>(name);
  const generated = settings.get<boolean>('review.ignoreGenerated') && change.generated ? await change.generated(paths) : new Set<string>();
  return {
    exclude: compile(list('review.exclude').flatMap(glob => [pathGlob(glob), `${pathGlob(glob).replace(/\/$/, '')}/**`])),
    titles: compileText(list('review.ignoreTitles')),
    branches: compileText(list('review.ignoreBranches')),
    authors: compileText(list('review.ignoreAuthors')),
    generated,
  };
}
