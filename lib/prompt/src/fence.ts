/**
 * Fences text that Weir did not write (REV-15). The fence holds a random word of the call, so no text can close it;
 * words that imitate a fence or a chat template get a visible dot, and stay readable: `E·ND_UNTRUSTED_DATA`.
 */
const FENCE_FORM = /^[A-Za-z0-9]{8,64}$/;

/** Put behind the first character of what imitates a fence. */
export const MARK = '·';

const IMITATIONS: readonly RegExp[] = [
  // Weir's own fence lines; a conflict marker (`<<<<<<< HEAD`) is none.
  /<<<[ \t]{0,4}(?=(?:END[ \t]{1,4})?DATA\b)/gi,
  // Fence words of other tools.
  /\b(?:BEGIN|END|START|STOP)[_ -]{1,3}(?:OF[_ -]{1,3})?(?:UNTRUSTED|TRUSTED|FENCED|EXTERNAL|USER)[_ -]{1,3}(?:DATA|INPUT|CONTENT|TEXT|DIFF|CONTEXT)/gi,
  /\bUNTRUSTED[_ -]{1,3}(?:DATA|INPUT|CONTENT|TEXT|DIFF|CONTEXT)\b/gi,
  // Control words of chat templates.
  /<\|[a-z_]{1,32}\|>|<<\/?SYS>>|\[\/?INST\]|<\/?(?:start|end)_of_turn>/gi,
];

/** Marks imitations. Marking twice changes nothing more; removing the marks gives the text back. */
export function neutralised(text: string): string {
  let out = text;
  for (const pattern of IMITATIONS) out = out.replace(pattern, found => `${found.slice(0, 1)}${MARK}${found.slice(1)}`);
  return out;
}

/**
 * Puts text between two fence lines.
 * @param fence random letters and digits of this call, 8 to 64.
 * @throws RangeError for another fence: that is a mistake of the caller, and an open door.
 */
export function fenced(name: string, text: string, fence: string): string {
  if (!FENCE_FORM.test(fence)) throw new RangeError('a fence is 8 to 64 random letters and digits');
  const inside = neutralised(text).replaceAll(fence, `${fence.slice(0, 1)}${MARK}${fence.slice(1)}`);
  return `<<<DATA ${name} ${fence}>>>\n${inside}\n<<<END DATA ${name} ${fence}>>>`;
}
