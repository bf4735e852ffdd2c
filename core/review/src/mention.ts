/** Whether a comment names an account: `@login`, or `@{id}` where a forge writes the stable id. */

/** The mark of an app's login, which nobody writes in a mention. */
const APP = '[bot]';
const PART_OF_NAME = /[\w.-]/;

/** Lines that quote somebody else are not the comment's own word. */
const ownLines = (body: string): string =>
  body
    .split('\n')
    .filter(line => !line.trimStart().startsWith('>'))
    .join('\n')
    .toLowerCase();

function names(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const [next = '', afterNext = ''] = text.slice(at + word.length, at + word.length + 2);
    // A full stop ends a sentence unless the name goes on behind it.
    const goesOn = next === '.' ? PART_OF_NAME.test(afterNext) : PART_OF_NAME.test(next);
    if (!PART_OF_NAME.test(before) && !goesOn) return true;
  }
  return false;
}

export function mentions(body: string, { id, login }: { readonly id: string; readonly login: string }): boolean {
  const text = ownLines(body);
  const plain = login.toLowerCase();
  const name = plain.endsWith(APP) ? plain.slice(0, -APP.length) : plain;
  return text.includes(`@{${id.toLowerCase()}}`) || (name !== '' && names(text, `@${name}`));
}
