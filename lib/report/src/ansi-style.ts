/**
 * Colour for a terminal. Text that is styled has been made safe before; the only escape sequences of an output are these.
 */
const ESCAPE = '\u001b[';

export type Style = (text: string) => string;

/** Wraps text in an SGR sequence, or leaves it alone when colour is off. */
export const styleWith =
  (colour: boolean) =>
  (parameters: string): Style =>
  text =>
    colour ? `${ESCAPE}${parameters}m${text}${ESCAPE}0m` : text;
