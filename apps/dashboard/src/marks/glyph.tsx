/**
 * The marks of page 80, 4.3, as drawings: every state and severity has a shape of its own, so it is legible without colour. A glyph says
 * nothing to a screen reader; the word beside it does.
 */
import type { JSX } from 'react';

const RING = <circle cx="8" cy="8" r="6.2" />;
const OCTAGON = <path d="M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z" />;

/** `filled` shapes take the colour as their ground, the others as their line. */
interface Drawing {
  readonly filled?: true;
  readonly width?: number;
  readonly dashes?: string;
  readonly shape: JSX.Element;
}

const DRAWINGS = {
  ok: {
    shape: (
      <>
        {RING}
        <path d="M5.2 8.2l2 2 3.6-4" />
      </>
    ),
  },
  run: {
    width: 2,
    shape: (
      <>
        <circle cx="8" cy="8" r="6" strokeOpacity=".3" />
        <path className="turning" d="M8 2a6 6 0 0 1 6 6" />
      </>
    ),
  },
  wait: {
    shape: (
      <>
        <path d="M8 1.6 14.4 8 8 14.4 1.6 8z" />
        <path d="M8 5v3.6M8 10.6v.6" />
      </>
    ),
  },
  bad: {
    filled: true,
    shape: (
      <>
        {OCTAGON}
        <path className="cut" d="M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8" />
      </>
    ),
  },
  unknown: {
    dashes: '2.6 2.2',
    shape: (
      <>
        {RING}
        <path d="M6.3 6.3c.2-2 3.6-1.8 3.4.2-.1 1-1.6 1.3-1.7 2.5M8 11v.7" strokeDasharray="0" />
      </>
    ),
  },
  idle: {
    shape: (
      <>
        {RING}
        <path d="M4.8 8h6.4" />
      </>
    ),
  },
  next: { width: 1.4, shape: <circle cx="8" cy="8" r="5" /> },
  blocker: { filled: true, shape: OCTAGON },
  major: { filled: true, shape: <path d="M8 1.8 14.8 14H1.2z" /> },
  minor: { shape: <rect x="2.6" y="2.6" width="10.8" height="10.8" /> },
  note: { filled: true, shape: <circle cx="8" cy="8" r="3" /> },
} as const satisfies Record<string, Drawing>;

export type GlyphName = keyof typeof DRAWINGS;

export function Glyph({ name }: { readonly name: GlyphName }): JSX.Element {
  const { filled, width = 1.8, dashes, shape }: Drawing = DRAWINGS[name];
  const paint = filled ? { fill: 'currentColor' } : { fill: 'none', stroke: 'currentColor', strokeWidth: width, ...(dashes && { strokeDasharray: dashes }) };
  return (
    <svg className="glyph" viewBox="0 0 16 16" aria-hidden="true" focusable="false" {...paint}>
      {shape}
    </svg>
  );
}
