/**
 * From the address that people set in `model.baseUrl` to the root of its API: a root that already names the operation is taken
 * without it, a query (`?api-version=…`) is kept.
 */
import { AppError } from '@weir/kernel';

const OPERATION = '/chat/completions';

/** Without a slash at the end. @throws AppError CONFIG_INVALID; the message does not repeat the address, which can hold a secret. */
export function chatRoot(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new AppError('CONFIG_INVALID', '`model.baseUrl` is not a URL; write it like https://host/v1.');
  const url = new URL(baseUrl);
  const path = trimSlashes(url.pathname);
  const root = path.endsWith(OPERATION) ? trimSlashes(path.slice(0, -OPERATION.length)) : path;
  const { search } = url;
  url.pathname = root;
  url.search = '';
  url.hash = '';
  return `${trimSlashes(url.href)}${search}`;
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
