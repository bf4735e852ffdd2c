/**
 * What may be shown of a secret: the first four and the last two characters of a long one, nothing of a short one.
 * The result depends on the secret alone, so that a finding keeps its fingerprint.
 */
const SHOWN_START = 4;
const SHOWN_END = 2;
const MIN_LENGTH = 20;

export const redact = (secret: string): string => (secret.length < MIN_LENGTH ? '[redacted]' : `${secret.slice(0, SHOWN_START)}…${secret.slice(-SHOWN_END)}`);
