/**
 * The slot of rules files (REV-20c). Each file gets an equal share of what is left, so a long one cannot push out the others.
 */
import { clipText, type ClippedText } from './clip-text.ts';
import type { CountTokens } from './estimate-tokens.ts';
import { visiblePath, visibleText } from './visible-text.ts';

export interface RulesFile {
  readonly path: string;
  /** Text from the target branch, never from the change (REV-36). */
  readonly text: string;
}

/** Builds the text of the slot; notes name every file that was cut. */
export function rulesSlot(files: readonly RulesFile[], budget: number, countTokens: CountTokens): ClippedText {
  const parts: string[] = [];
  const notes: string[] = [];
  let left = budget;
  for (const [at, file] of files.entries()) {
    const name = visiblePath(file.path);
    const share = Math.floor(left / (files.length - at));
    const part = clipText(`rules file ${name}`, `--- ${name}\n${visibleText(file.text).trimEnd()}`, share - 1, countTokens);
    if (part.note !== null) notes.push(part.note);
    if (part.text === '') continue;
    parts.push(part.text);
    left -= part.tokens + 1;
  }
  const text = parts.join('\n');
  return { text, tokens: countTokens(text), clipped: notes.length > 0, note: notes.length > 0 ? notes.join('; ') : null };
}
