/**
 * From the root that people set (`https://host/v1`) to the address that is asked.
 * A root that already names the operation is taken as it is; a query (`?api-version=…`) is kept.
 */
import { AppError } from '@weir/kernel';

const OPERATION = '/chat/completions';

/** @throws AppError CONFIG_INVALID; the message does not repeat the address, which can hold a secret. */
export function chatEndpoint(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new AppError('CONFIG_INVALID', '`model.baseUrl` is not a URL; write it like https://host/v1.');
  const url = new URL(baseUrl);
  const path = trimSlashes(url.pathname);
  url.pathname = path.endsWith(OPERATION) ? path : `${path}${OPERATION}`;
  url.hash = '';
  return url;
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
