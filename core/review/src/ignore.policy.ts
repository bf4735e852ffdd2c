/** What is not reviewed on purpose (REV-20d). Globs are compiled outside; here they are questions with a yes or no. */
import { type DiffFile, pathOf } from '@weir/diff';

export type Matches = (text: string) => boolean;

export interface IgnoreRules {
  readonly exclude: Matches;
  readonly titles: Matches;
  readonly branches: Matches;
  readonly authors: Matches;
  readonly labels: Matches;
  /** Paths that .gitattributes of the target branch marks as generated or vendored. */
  readonly generated: ReadonlySet<string>;
}

export interface ChangeFacts {
  readonly title: string | null;
  readonly branch: string | null;
  readonly author: string | null;
  readonly labels: readonly string[];
}

/** `Name <mail>` as a whole, the name, and the address: a pattern may mean any of them. */
const namesOf = (author: string): readonly string[] => [author, ...(/^(.*) <(.*)>$/.exec(author)?.slice(1) ?? [])];

/** Why the whole change is left out, or null. */
export function ignoredChange(rules: IgnoreRules, { title, branch, author, labels }: ChangeFacts): string | null {
  if (title !== null && rules.titles(title)) return `its title matches review.ignoreTitles`;
  if (branch !== null && rules.branches(branch)) return `its branch matches review.ignoreBranches`;
  if (author !== null && namesOf(author).some(rules.authors)) return `its author matches review.ignoreAuthors`;
  if (labels.some(rules.labels)) return 'a label of it matches review.ignoreLabels';
  return null;
}

/** Files that are left out, with the reason. */
export function ignoredFiles(rules: IgnoreRules, files: readonly DiffFile[]): ReadonlyMap<string, string> {
  const ignored = new Map<string, string>();
  for (const path of files.map(pathOf)) {
    if (rules.exclude(path)) ignored.set(path, 'excluded by review.exclude');
    else if (rules.generated.has(path)) ignored.set(path, 'marked generated or vendored in .gitattributes');
  }
  return ignored;
}
