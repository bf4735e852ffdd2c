/** Headers of every answer. Pages load from this origin alone, have no inline code, and stand in no frame. */

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With `no-referrer` a browser sends the form of the one-time link with the origin `null`, which is refused.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

const ONE_YEAR_SECONDS = 31_536_000;

export const securityHeaders = (https: boolean): Readonly<Record<string, string>> =>
  https ? { ...HEADERS, 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` } : HEADERS;
