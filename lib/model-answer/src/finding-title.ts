/** The heading of a finding: one line, bounded, without a final full stop. */

/** Characters of a title. */
const MAX_TITLE = 120;

/** First sentence of a text. A full stop inside a name (`a.ts`, `1.5`) does not end it. */
function firstSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const end = /[.!?](?=\s)/.exec(line);
  return end === null ? line : line.slice(0, end.index + 1);
}

function shortened(text: string): string {
  const characters = [...text.slice(0, MAX_TITLE * 2 + 2)];
  return characters.length <= MAX_TITLE
    ? text
    : `${characters
        .slice(0, MAX_TITLE - 1)
        .join('')
        .trimEnd()}…`;
}

/** @param title as written; when it is missing, the first sentence of the message is taken. */
export function titleOf(title: string | undefined, message: string): string {
  const line = (title ?? firstSentence(message)).replace(/\s+/g, ' ').trim();
  return shortened(line.replace(/(?<!\.)\.$/, '')) || 'Finding without a title';
}
