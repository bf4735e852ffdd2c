/**
 * The colours of both themes (page 80, 4.4): neutral paper of hue 255, and a colour where it means something. `tokens.css` is
 * printed from here; a test holds that, and the contrast of every pair that is used.
 */

const LIGHT = {
  canvas: '#f9fafc',
  surface: '#ffffff',
  sunken: '#f2f4f6',
  line: '#dde0e4',
  edge: '#878d94',
  ink: '#161b22',
  ink2: '#4a5059',
  ink3: '#636a72',
  accent: '#1d60bc',
  accentTint: '#e9f1fd',
  ok: '#0f6a46',
  okTint: '#e0f7e9',
  run: '#3364bd',
  runTint: '#e9f1fd',
  wait: '#825400',
  waitTint: '#fcf1dc',
  bad: '#940e0f',
  badTint: '#fcedec',
  unknown: '#6c3e84',
  unknownTint: '#f5eefa',
  idle: '#676c73',
  idleTint: '#edeff1',
  addLine: '#dff8e6',
  addWord: '#b1ebc4',
  delLine: '#fdecec',
  delWord: '#ffccca',
} as const;

/** Name of a colour; in style sheets `var(--<name>)`. */
export type ColourToken = keyof typeof LIGHT;

const DARK: Readonly<Record<ColourToken, string>> = {
  canvas: '#101317',
  surface: '#161a1f',
  sunken: '#0a0c10',
  line: '#292e34',
  edge: '#666c75',
  ink: '#eaedf1',
  ink2: '#acb2b9',
  ink3: '#90969d',
  accent: '#94c1fa',
  accentTint: '#1e2e47',
  ok: '#80efb7',
  okTint: '#163223',
  run: '#97c4fc',
  runTint: '#1e2e47',
  wait: '#ebbd52',
  waitTint: '#3d2d11',
  bad: '#f86c5c',
  badTint: '#481b17',
  unknown: '#b682ea',
  unknownTint: '#342147',
  idle: '#979da6',
  idleTint: '#23272b',
  addLine: '#122d1d',
  addWord: '#0f4f2e',
  delLine: '#3d1b18',
  delWord: '#722423',
};

export const COLOURS: Readonly<Record<'light' | 'dark', Readonly<Record<ColourToken, string>>>> = { light: LIGHT, dark: DARK };

/** The states of a process, each a colour with a tint of its own. */
export const STATE_TONES = ['ok', 'run', 'wait', 'bad', 'unknown', 'idle'] as const;
export type Tone = (typeof STATE_TONES)[number];

const declarations = (theme: 'light' | 'dark'): string =>
  Object.entries(COLOURS[theme])
    .map(([name, value]) => `  --${name}: ${value};\n`)
    .join('');

export const tokensCss = (): string =>
  `/* Printed from tokens.ts by its test: npx vitest run -u apps/dashboard/src/ui */
:root {
  color-scheme: light;
${declarations('light')}}

[data-mantine-color-scheme="dark"] {
  color-scheme: dark;
${declarations('dark')}}
`;
