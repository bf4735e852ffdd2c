/** There is one door to a provider's hosts: no other code of the product can open a connection or hold the way out. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const ROOMS = ['contract', 'lib', 'ports', 'core', 'engine', 'workers', 'adapters', 'specialists', 'apps'];
const SKIPPED = new Set(['node_modules', 'dist', 'testing', 'fixtures']);

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* sourcesIn(file);
    else if (entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name) && !/\.(?:test|fixture|suite)\.[jt]sx?$/.test(entry.name)) yield file;
  }
}

const sources = ROOMS.flatMap(room => [...sourcesIn(path.join(ROOT, room))]).map(file => ({
  file: path.relative(ROOT, file),
  text: readFileSync(file, 'utf8'),
}));

/** `import type` opens nothing. */
const NETWORK = /(?:^|\n)(?!import type)[^\n]*(?:from|import|require)\s*\(?\s*['"](?:node:)?(?:undici|https?|http2|net|tls|dgram)['"]/;
const GLOBALS = /(?<![\w.'"`-])fetch\s*\(|globalThis\.fetch|globalThis\[|new (?:WebSocket|EventSource|XMLHttpRequest)\b/;
const WAY_OUT = /\bHttpPort\b|from '@weir\/http'/;

const holders = (pattern: RegExp): readonly string[] =>
  [...new Set(sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file.split('/').slice(0, 2).join('/')))].sort();

test(`${verifies('PRV-18')} only the way out opens connections`, () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(holders(NETWORK)).toEqual(['adapters/http']);
  // The pages run in a browser, whose policy lets them ask their own server alone.
  expect(holders(GLOBALS)).toEqual(['apps/dashboard']);
});

test(`${verifies('PRV-18')} only the provider engine, its recorder, the model gateway and the way to the identity provider hold the way out; the program hands it to them`, () => {
  expect(holders(WAY_OUT).filter(holder => !holder.startsWith('apps/'))).toEqual([
    'adapters/cassette',
    'adapters/forge',
    'adapters/http',
    'adapters/oidc',
    'engine/model-gateway',
    'ports/src',
  ]);
});

test.each(["import { request } from 'node:https';", "const a = await import('undici');", "import net from 'net';"])('%s is seen', line => {
  expect(NETWORK.test(`/** x */\n${line}\n`)).toBe(true);
});

test.each(['await fetch(url)', 'globalThis.fetch(url)', 'new WebSocket(url)'])('%s is seen', line => {
  expect(GLOBALS.test(`\n  ${line};`)).toBe(true);
});
