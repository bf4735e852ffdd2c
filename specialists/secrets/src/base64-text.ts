/**
 * Text of a base64 or base64url value, one character per byte; undefined when it is not base64.
 * @param value with or without padding
 */
export function base64Text(value: string): string | undefined {
  const plain = value
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/={1,2}$/, '');
  return /^[A-Za-z0-9+/]+$/.test(plain) && plain.length % 4 !== 1 ? atob(plain) : undefined;
}
