/**
 * Reads from the text of a .gitattributes file which paths are generated or vendored (REV-20d). Only the file at the top is known here,
 * and patterns with brackets, braces or escapes, which mean something else in it than in our globs, are counted and left alone.
 */
import { compileGlobs } from '@weir/review';

/** Lines that are read; a longer file is somebody's mistake. */
const MAX_LINES = 2_000;
const ATTRIBUTES = new Set(['linguist-generated', 'linguist-vendored']);

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly attribute: string;
  readonly set: boolean;
}

/** `name`, `name=true`, `-name`, `name=false`, `!name`. */
function settingOf(word: string): Pick<Rule, 'attribute' | 'set'> | undefined {
  const [name = '', value = 'true'] = word.replace(/^[-!]/, '').split('=', 2);
  return ATTRIBUTES.has(name) ? { attribute: name, set: word.startsWith(name) && value !== 'false' } : undefined;
}

export interface GeneratedPaths {
  readonly matches: (path: string) => boolean;
  /** Patterns with such an attribute that cannot be read. */
  readonly unreadable: number;
}

/** The last rule that fits a path decides, for each attribute. */
export function generatedPaths(text: string): GeneratedPaths {
  const rules: Rule[] = [];
  let unreadable = 0;
  for (const line of text.split('\n', MAX_LINES)) {
    const [pattern = '', ...words] = line.trim().split(/[ \t]+/);
    const settings = pattern.startsWith('#') ? [] : words.flatMap(word => settingOf(word) ?? []);
    if (settings.length === 0) continue;
    if (/[[\]{}"\\!]/.test(pattern)) unreadable += 1;
    else {
      const matches = compileGlobs([pattern]);
      rules.push(...settings.map(setting => ({ ...setting, matches })));
    }
  }
  const decided = (path: string, attribute: string): boolean => rules.findLast(rule => rule.attribute === attribute && rule.matches(path))?.set ?? false;
  return { matches: path => [...ATTRIBUTES].some(attribute => decided(path, attribute)), unreadable };
}
