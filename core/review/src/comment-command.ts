/** Commands of a comment (REV-27): its first line starts with one. Whatever follows is text, never a setting. */
export const COMMENT_COMMANDS = ['review', 'finding', 'fix', 'ask', 'describe', 'dismiss', 'help'] as const;
export type CommentCommandName = (typeof COMMENT_COMMANDS)[number];

export interface CommentCommand {
  readonly name: CommentCommandName;
  readonly text: string;
}

const COMMAND = /^\/([a-z]{1,16})(?=\s|$)/;

/** Null where the comment does not begin with one; a quoted or later `/review` is none. */
export function readCommand(body: string): CommentCommand | null {
  const word = COMMAND.exec(body)?.[1];
  const name = COMMENT_COMMANDS.find(known => known === word);
  return name === undefined ? null : { name, text: body.slice(name.length + 1).trim() };
}
