/** The only door to the kit: nothing else of the dashboard imports it, so that it can be changed. */
export { Button, OutsideLink } from './button.tsx';
export { Choice, Toggle } from './choice.tsx';
export { useColourScheme } from './colour-scheme.ts';
export { Field, LongField } from './field.tsx';
export { KitProvider } from './kit-provider.tsx';
export { Dialog, Panel } from './overlay.tsx';
export type { Tone } from './tokens.ts';
