/** The two cookies: the session's, and that of a sign-in under way. Scripts read neither. */

export interface CookieShape {
  readonly name: string;
  readonly attributes: string;
}

/** Behind https a cookie is bound to its host by its name, which asks for the path `/`; else it goes to the API alone. */
export const sessionCookie = (https: boolean): CookieShape =>
  https
    ? { name: '__Host-weir_session', attributes: 'Path=/; HttpOnly; SameSite=Strict; Secure' }
    : { name: 'weir_session', attributes: 'Path=/api; HttpOnly; SameSite=Strict' };

const FLOW_SECONDS = 600;

/** It comes back from the provider's site, so `Strict` would lose it. */
export const flowCookie = (https: boolean): CookieShape =>
  https
    ? { name: '__Secure-weir_sign_in', attributes: `Path=/sign-in; HttpOnly; SameSite=Lax; Secure; Max-Age=${FLOW_SECONDS}` }
    : { name: 'weir_sign_in', attributes: `Path=/sign-in; HttpOnly; SameSite=Lax; Max-Age=${FLOW_SECONDS}` };

export const setCookie = ({ name, attributes }: CookieShape, value: string): string => `${name}=${value}; ${attributes}`;

export const dropCookie = ({ name, attributes }: CookieShape): string => `${name}=; ${attributes.replace(/; Max-Age=\d+/, '')}; Max-Age=0`;

/** @returns null unless it stands there exactly once. */
export function readCookie(header: string | undefined, { name }: CookieShape): string | null {
  const values = (header ?? '').split(';').flatMap(pair => {
    const at = pair.indexOf('=');
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 && values[0] !== '' ? (values[0] ?? null) : null;
}
