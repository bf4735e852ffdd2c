/** The weight of the first load, from the manifest of the build: what the first page loads, with its styles and its fonts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const DIST = path.resolve(import.meta.dirname, '../../dist');
/** Page 80, 4.6. */
const BUDGET_BYTES = 260_000;

/** A browser fetches this part of the type when a page holds one of its letters. */
const ASKED_LATER = /latin-ext/u;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

const manifest = JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>;

function closure(name: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`The manifest names no ${name}: npm run build`);
  if (seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) if (!ASKED_LATER.test(file)) seen.add(file);
  for (const next of chunk.imports ?? []) closure(next, seen);
  return seen;
}

const weight = (file: string): number => {
  const bytes = readFileSync(path.join(DIST, file));
  return file.endsWith('.woff2') ? bytes.length : gzipSync(bytes).length;
};

test('the first load of the heaviest page is within the budget, fonts and all', () => {
  const screens = Object.keys(manifest).filter(name => name.endsWith('.screen.tsx'));
  expect(screens.length).toBeGreaterThan(15);
  const loads = screens.map(screen => {
    const files = new Set([...closure('index.html'), ...closure(screen)]);
    return { screen, bytes: [...files].reduce((sum, file) => sum + weight(file), gzipSync(readFileSync(path.join(DIST, 'index.html'))).length) };
  });
  const heaviest = loads.reduce((most, load) => (load.bytes > most.bytes ? load : most));
  console.info(`first load: ${heaviest.bytes} bytes, ${heaviest.screen}`);
  expect(heaviest.bytes).toBeLessThanOrEqual(BUDGET_BYTES);
});

test('the page has no script or style of its own in it, and loads nothing from elsewhere', () => {
  const page = readFileSync(path.join(DIST, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=/u);
  expect(page).not.toMatch(/(?:src|href)="(?!\/)/u);
  for (const file of closure('index.html'))
    if (file.endsWith('.css')) expect(readFileSync(path.join(DIST, file), 'utf8')).not.toMatch(/url\((?:"|')?(?:data:|https?:|\/\/)/u);
});
