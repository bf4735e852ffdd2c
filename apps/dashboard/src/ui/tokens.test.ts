/** Contrast and distance of the colours, computed from the tokens that ship (page 80, 4.4). */
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { COLOURS, type ColourToken, STATE_TONES, tokensCss } from './tokens.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];
type Theme = 'light' | 'dark';
const THEMES: readonly Theme[] = ['light', 'dark'];

const dot = (row: Triple, [a, b, c]: Triple): number => row[0] * a + row[1] * b + row[2] * c;
const linear = (hex: string): Triple => {
  const channel = (from: number): number => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
};

/** Contrast ratio of WCAG 2.2. */
const contrast = (a: string, b: string): number => {
  const [x, y] = [a, b].map(hex => dot([0.2126, 0.7152, 0.0722], linear(hex)) + 0.05) as [number, number];
  return Math.max(x, y) / Math.min(x, y);
};
const twoPlaces = (value: number): number => Math.round(value * 100) / 100;

const oklab = (rgb: Triple): Triple => {
  const cone = (row: Triple): number => Math.cbrt(dot(row, rgb));
  const lms: Triple = [
    cone([0.4122214708, 0.5363325363, 0.0514459929]),
    cone([0.2119034982, 0.6806995451, 0.1073969566]),
    cone([0.0883024619, 0.2817188376, 0.6299787005]),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], lms),
    dot([1.9779984951, -2.428592205, 0.4505937099], lms),
    dot([0.0259040371, 0.7827717662, -0.808675766], lms),
  ];
};

/** Simulation of Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB. */
const VISION: Readonly<Record<'normal' | 'deuteranopia' | 'protanopia', Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};
const seen = (hex: string, vision: Matrix): Triple => {
  const rgb = linear(hex);
  const [r, g, b] = vision.map(row => Math.min(1, Math.max(0, dot(row, rgb)))) as [number, number, number];
  return oklab([r, g, b]);
};
const smallestDistance = (theme: Theme, vision: keyof typeof VISION): number => {
  const points = STATE_TONES.map(tone => seen(COLOURS[theme][tone], VISION[vision]));
  const pairs = points.flatMap((a, index) => points.slice(index + 1).map(b => 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])));
  return Math.min(...pairs);
};

const TEXT: readonly ColourToken[] = ['ink', 'ink2', 'ink3', 'accent', ...STATE_TONES];
const GROUNDS: readonly ColourToken[] = ['canvas', 'surface', 'sunken'];
const tintOf = (tone: string): ColourToken | undefined => (Object.hasOwn(COLOURS.light, `${tone}Tint`) ? (`${tone}Tint` as ColourToken) : undefined);

test.each([
  ['light', 4.59],
  ['dark', 5.05],
] as const)('every text colour on every ground of the %s theme has a contrast of %d at least', (theme, floor) => {
  for (const text of TEXT) {
    const tint = tintOf(text);
    for (const ground of tint === undefined ? GROUNDS : [...GROUNDS, tint])
      expect(twoPlaces(contrast(COLOURS[theme][text], COLOURS[theme][ground])), `${text} on ${ground}`).toBeGreaterThanOrEqual(floor);
  }
});

test.each(THEMES)('code on the lines of a diff, and the edge of an input, are legible in the %s theme', theme => {
  const colours = COLOURS[theme];
  for (const ground of ['addLine', 'delLine', 'addWord', 'delWord'] as const) expect(contrast(colours.ink, colours[ground]), ground).toBeGreaterThanOrEqual(7);
  for (const ground of ['addLine', 'delLine'] as const) expect(contrast(colours.ink3, colours[ground]), `number on ${ground}`).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colours.edge, colours.surface)).toBeGreaterThanOrEqual(3.29);
  const label = theme === 'light' ? colours.surface : colours.sunken;
  for (const solid of ['accent', ...STATE_TONES] as const) expect(contrast(label, colours[solid]), `label on ${solid}`).toBeGreaterThanOrEqual(5.29);
});

test.each([
  ['light', 'normal', 12],
  ['light', 'deuteranopia', 5.5],
  ['light', 'protanopia', 6.1],
  ['dark', 'normal', 13.8],
  ['dark', 'deuteranopia', 10.7],
  ['dark', 'protanopia', 11],
] as const)(`${verifies('REV-11')} no two states of the %s theme are alike to a person with %s sight (OKLab × 100, at least %d)`, (theme, vision, floor) => {
  expect(smallestDistance(theme, vision)).toBeGreaterThanOrEqual(floor);
});

test('the style sheet is what the tokens print', async () => {
  await expect(tokensCss()).toMatchFileSnapshot('./styles/tokens.css');
});
