// The rules of the three protocols against what real clients send: a rule that refuses those is a wrong rule.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chat } from './chat/chat.ts';
import { messages } from './messages/messages.ts';
import { responses } from './responses/responses.ts';

interface Captured {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly (readonly [string, string])[];
  readonly body: unknown;
}

const PROTOCOLS = [responses, chat, messages];
const SHARED = path.resolve(import.meta.dirname, '../../..', process.env['WEIR_SHARED'] ?? '../shared', 'fixtures/harness');
const OWN = path.resolve(import.meta.dirname, '../fixtures');
/** There the captured upstream called tools by names that no vendor would make or take. */
const FOREIGN_NAMES = 'name-inverse-rules';

const captures = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.request.json') && !file.includes(FOREIGN_NAMES));

function violationsOf(file: string): readonly string[] {
  const { method, url, rawHeaders, body } = JSON.parse(readFileSync(file, 'utf8')) as Captured;
  const protocol = PROTOCOLS.find(candidate => candidate.path === url.split('?', 1)[0]);
  if (method !== 'POST' || protocol === undefined) return [];
  return protocol.read(body, Object.fromEntries(rawHeaders.map(([name, value]) => [name.toLowerCase(), value]))).violations;
}

test.each(captures(OWN))('%s breaks no rule', file => {
  expect(violationsOf(path.join(OWN, file))).toEqual([]);
});

if (existsSync(SHARED)) {
  test.each(captures(SHARED))('%s breaks no rule', file => {
    expect(violationsOf(path.join(SHARED, file))).toEqual([]);
  });
} else console.warn('SKIPPED: the captures of real clients are not at WEIR_SHARED.');
