/**
 * Numbers of the issues that a change's own words name: those that it closes first. Code is never mined for them (REV-38), and issues of
 * other repositories are not this account's to read.
 */

/** Issues of one change that are read. */
export const MAX_ISSUES = 5;
/** Characters of a description that are searched. */
const MAX_TEXT = 100_000;

const CLOSING =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)[ \t]{0,3}:?[ \t]{1,3}(?:issue[ \t]{1,3})?#(\d{1,9})\b/gi;
const NAMED = /(?<![\w/#&])#(\d{1,9})\b/g;

/** Without fenced blocks and spans of code. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    else if (fence === null && !/^(?: {4}|\t)/.test(line)) kept.push(line.replace(/`[^`]*`/g, ''));
  }
  return kept.join('\n');
}

export function linkedIssues(...texts: readonly string[]): readonly number[] {
  const words = withoutCode(texts.join('\n').slice(0, MAX_TEXT));
  const found = [CLOSING, NAMED].flatMap(pattern => [...words.matchAll(pattern)].map(match => Number(match[1])));
  return [...new Set(found)].filter(number => number > 0);
}
