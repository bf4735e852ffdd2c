/**
 * Which CI dialect a path is read as. Only paths that a CI system really loads are named here;
 * a YAML file in a sub folder of the workflows folder, for example, is never run.
 */
export type CiFile = 'workflow' | 'action' | 'pipeline';

const KINDS: readonly (readonly [RegExp, CiFile])[] = [
  [/^\.github\/workflows\/[^/]+\.ya?ml$/, 'workflow'],
  [/(?:^|\/)action\.ya?ml$/, 'action'],
  [/(?:^|\/)(?:[^/]*\.)?gitlab-ci\.ya?ml$/, 'pipeline'],
  [/^\.gitlab\/ci\/[^\0]+\.ya?ml$/, 'pipeline'],
];

/** The dialect of a file, or undefined for a path that no supported CI system loads. */
export const ciFileOf = (path: string): CiFile | undefined => KINDS.find(([pattern]) => pattern.test(path))?.[1];
