/** Recorded and written answers that are committed: none may hold anything shaped like a token (PRV-26). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Cassette } from '@weir/cassette';
import { verifies } from '@weir/requirements';
import { findSecrets } from '@weir/specialist-secrets';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const filesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => path.join(folder, file));

const cassettes = filesIn('descriptors/providers').filter(file => /\/cassettes\/[^/]+\.json$/.test(file));
const answers = filesIn('adapters/forge/fixtures').filter(file => /\.(?:json|yaml)$/.test(file));

test(`${verifies('PRV-26')} no committed cassette or sample answer holds anything shaped like a token`, () => {
  expect(answers.length).toBeGreaterThan(3);
  for (const file of [...cassettes, ...answers]) expect(findSecrets(readFileSync(path.join(ROOT, file), 'utf8')), file).toEqual([]);
});

test(`${verifies('PRV-26')} every committed cassette says where it was recorded, and what came from a simulator is named so`, () => {
  for (const file of cassettes) {
    const { recordedFrom } = Cassette.parse(JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')));
    expect(path.basename(file).startsWith('simulator-'), file).toBe(recordedFrom === 'simulator');
  }
});
