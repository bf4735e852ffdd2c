/**
 * Recognizes by its name a file that no one meant to commit.
 * Sources of the names: git-mergetool (BACKUP, BASE, LOCAL, REMOTE), patch(1) (.orig, .rej), Vim, Emacs, macOS and Windows.
 */
import { isFixturePath } from './source-language.ts';

const ARTIFACTS: readonly (readonly [RegExp, string])[] = [
  [/.\.orig$/, 'a copy that a merge or patch made before it changed the file'],
  [/.\.rej$/, 'a part of a patch that could not be applied; its change is missing from the file'],
  [/[._](?:BACKUP|BASE|LOCAL|REMOTE)[._]\d+(?:\.[A-Za-z0-9]+)?$/, 'a copy that `git mergetool` made of one side of a conflict'],
  [/^\.DS_Store$/, 'a folder view of macOS'],
  [/^(?:Thumbs\.db|ehthumbs\.db|[Dd]esktop\.ini)$/, 'a folder view of Windows'],
  [/^\..+\.sw[a-p]$/, 'a swap file of Vim; it holds text of the edited file'],
  [/^(?:\.#.+|#.+#)$/, 'an unsaved file or lock of Emacs'],
  [/[^~]~$/, 'a backup copy of an editor'],
  [/^(?:npm-debug\.log(?:\.\d+)?|yarn-error\.log|nohup\.out)$/, 'a log of a failed or detached command'],
];

/** What the file is, in a phrase, or null for a file of any other name. */
export function mergeArtifact(path: string): string | null {
  if (isFixturePath(path)) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return ARTIFACTS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
