/** Commands of a comment (REV-27): its first line starts with one. Whatever follows is text, never a setting. */
import type { AuthorityNeed } from './actor-authority.policy.ts';

interface CommandRow extends AuthorityNeed {
  readonly form: string;
  /** What it does, for /help. */
  readonly says: string;
}

/**
 * In the order of /help. Asking needs to read the repository; what moves a round, the baseline or the check needs to write to it, or to be
 * the author of the change. The author does not dismiss: a dismissed finding no longer blocks.
 */
export const COMMENT_COMMANDS = {
  review: { form: '/review', says: 'reviews the current head, even if it was reviewed before', permission: 'write', author: true },
  ask: { form: '/ask <question>', says: 'answers a question about the change or the thread', permission: 'read', author: true },
  describe: { form: '/describe', says: 'writes a description of the change, or rewrites it', permission: 'read', author: true },
  finding: {
    form: '/finding [blocker|major|minor|note:] <text>',
    says: 'adds a finding of your own, in a thread on its lines or as /finding path:line <text>',
    permission: 'write',
    author: true,
  },
  dismiss: { form: '/dismiss <finding> <reason>', says: 'closes a finding; in its thread its id can be left out', permission: 'write', author: false },
  fix: { form: '/fix', says: 'is not available yet', permission: 'write', author: false },
  help: { form: '/help', says: 'lists the commands', permission: 'read', author: true },
} as const satisfies Record<string, CommandRow>;
export type CommentCommandName = keyof typeof COMMENT_COMMANDS;

export interface CommentCommand {
  readonly name: CommentCommandName;
  readonly text: string;
}

const COMMAND = /^\/([a-z]{1,16})(?=\s|$)/;
const isCommand = (word: string): word is CommentCommandName => Object.hasOwn(COMMENT_COMMANDS, word);

/** Null where the comment does not begin with one; a quoted or later `/review` is none. */
export function readCommand(body: string): CommentCommand | null {
  const word = COMMAND.exec(body)?.[1];
  return word === undefined || !isCommand(word) ? null : { name: word, text: body.slice(word.length + 1).trim() };
}
