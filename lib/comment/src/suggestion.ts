/**
 * A suggestion in the form that a forge can commit, where it has one and where committing does exactly what was meant; else
 * as the lines of a diff (REV-19).
 */
import { safeLines } from '@weir/report';
import type { Block, Dialect } from './comment-document.ts';

export interface SuggestionFacts {
  /** The text that takes the place of `original`. */
  readonly replacement: string;
  /** The lines as they stand in the head that was read; null where they could not be read, so that nobody knows what a commit would do. */
  readonly original: readonly string[] | null;
  readonly side: 'new' | 'old';
  /** Lines of the comment, which are those of `original` when the finding was not moved. */
  readonly line: number;
  readonly endLine: number;
}

/** Lines above and below that the offset form may replace; that forge's own limit. */
export const MAX_OFFSET_LINES = 100;

/** Controls, and characters that are not drawn or turn the direction of text: nobody commits what nobody sees. */
const UNSEEN = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A forge that runs commands at the start of a line takes three backticks inside a longer fence for its end. */
const mayRunCommands = (lines: readonly string[]): boolean => lines.some(line => /^\s*`{3}/.test(line)) && lines.some(line => /^\s*\/\p{L}/u.test(line));

/** Without the line feed that ends the last line, which the fence brings along. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));

/** The word of the fence; undefined where the forge has no form for these lines. */
function fenceWord(facts: SuggestionFacts, dialect: Dialect): string | undefined {
  const above = facts.endLine - facts.line;
  if (facts.side === 'old' || facts.original === null || facts.original.length !== above + 1) return undefined;
  switch (dialect.suggestion) {
    case 'none':
      return undefined;
    case 'block':
      return above === 0 || dialect.multi_line ? 'suggestion' : undefined;
    case 'offset-block':
      return above <= MAX_OFFSET_LINES ? `suggestion:-${above}+0` : undefined;
  }
}

export function suggestionBlock(facts: SuggestionFacts, dialect: Dialect): Block {
  const lines = linesOf(facts.replacement);
  const info = fenceWord(facts, dialect);
  if (info !== undefined && !lines.some(line => UNSEEN.test(line)) && !mayRunCommands(lines)) return { kind: 'suggestion', info, text: lines.join('\n') };
  const removed = (facts.original ?? []).map(line => `-${line}`);
  const added = lines.map(line => `+${line}`);
  return { kind: 'code', language: 'diff', text: safeLines([...removed, ...added].join('\n')).join('\n') };
}
