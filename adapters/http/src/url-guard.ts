/**
 * The part of the guard that needs no network: scheme and user information of one URL (REV-40).
 * Addresses are checked later, when the connection is made.
 */
import { HttpFailure } from '@weir/ports';

/** @returns the parsed URL. @throws HttpFailure `refused` with what to do; the message names the origin only. */
export function guardUrl(text: string, allowed: ReadonlySet<string>): URL {
  if (!URL.canParse(text)) throw new HttpFailure('refused', 'The address is not a URL. Write it like https://host/path.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new HttpFailure('refused', `An address that starts with ${url.protocol} is never requested. Use https.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HttpFailure('refused', `The address at ${url.origin} holds a user name or password. Remove it; a key has a setting of its own.`);
  }
  if (url.protocol === 'http:' && !allowed.has(url.origin)) {
    throw new HttpFailure('refused', `${url.origin} is not https. Use https, or add "${url.origin}" to \`network.allowOrigins\`.`);
  }
  return url;
}
