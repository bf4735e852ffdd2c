/** The two pages of signing in that need no script: the button of a one-time link, and what went wrong. */
import type { AppError } from '@weir/kernel';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => ESCAPES[character] ?? '');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${title}</title>
<main><h1>Weir</h1>
${body}
</main></html>
`;

/** @param secret of the link, base64url */
export const linkPage = (action: string, secret: string): string =>
  page(
    'Sign in to Weir',
    `<form method="post" action="${action}"><input type="hidden" name="secret" value="${escaped(secret)}"><button autofocus>Sign in to Weir</button></form>`,
  );

export const signInFailurePage = ({ message, next }: Pick<AppError, 'message' | 'next'>): string =>
  page('Not signed in', `<p>${escaped(message)}</p>\n<p>${escaped(next)}</p>\n<p><a href="/">Back to the dashboard</a></p>`);
