/**
 * How each scheme writes a token into a header (PRV-13). One entry for each scheme of the descriptor.
 */
import type { ProviderDescriptor } from '@weir/contract';
import { createRedactor } from '@weir/redaction';
import { type Credential, digestName } from './credential.ts';

type Auth = ProviderDescriptor['auth'];

interface Written {
  readonly header: string;
  readonly value: string;
}

const authorization = (value: string): Written => ({ header: 'authorization', value });
const bearer = (_auth: Auth, token: string): Written => authorization(`Bearer ${token}`);
/** A token with a colon is `user:password` already; else the descriptor's user stands before it. */
const basic = ({ user }: Auth, token: string): Written =>
  authorization(`Basic ${Buffer.from(user === undefined || token.includes(':') ? token : `${user}:${token}`).toString('base64')}`);

type TokenScheme = Exclude<Auth['scheme'], 'none'>;
/** Of a provider whose calls carry a credential. */
export type TokenAuth = Auth & { readonly scheme: TokenScheme };

const SCHEMES: Readonly<Record<TokenScheme, (auth: Auth, token: string) => Written>> = {
  bearer,
  oauth_bearer: bearer,
  app: bearer,
  token_prefix: ({ prefix = 'token' }, token) => authorization(`${prefix} ${token}`),
  basic,
  header: ({ header = 'authorization' }, token) => ({ header: header.toLowerCase(), value: token }),
};

/** The header that carries the credential, for a request that is shown and not sent; undefined where there is none. */
export const credentialHeader = (auth: Auth): string | undefined => (auth.scheme === 'none' ? undefined : SCHEMES[auth.scheme](auth, '').header);

/** @param name stands for the credential in stores; the token's digest where absent. */
export const writeCredential = (auth: TokenAuth, token: string, name = digestName(token)): Credential => {
  const { header, value } = SCHEMES[auth.scheme](auth, token);
  const password = token.includes(':') ? [token.slice(token.indexOf(':') + 1)] : [];
  const encoded = auth.scheme === 'basic' ? [value.slice('Basic '.length)] : [];
  return { name, headers: { [header]: value }, redact: createRedactor([token, ...password, ...encoded]) };
};
