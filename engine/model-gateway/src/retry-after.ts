/** When a limited endpoint wants to be asked again: `Retry-After` as seconds or as a date (RFC 9110), or `retry-after-ms`. */
const LONGEST_WAIT_SECONDS = 24 * 60 * 60;

const bounded = (seconds: number): number | undefined =>
  Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT_SECONDS) : undefined;

/**
 * @param now milliseconds since 1970.
 * @returns whole seconds from now, at most a day; undefined when the endpoint does not say.
 */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = headers['retry-after-ms'];
  if (milliseconds !== undefined && milliseconds !== '') return bounded(Number(milliseconds) / 1_000);
  const text = headers['retry-after']?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = Number(text);
  return bounded(Number.isNaN(seconds) ? (Date.parse(text) - now) / 1_000 : seconds);
}
