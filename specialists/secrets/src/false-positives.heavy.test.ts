import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addedFile } from '@weir/secret-corpus';
import { verifies } from '@weir/requirements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specialist } from './index.ts';

/** Twenty published packages that hold much of what looks like secrets: SDKs with documentation, crypto, bundles. */
const PACKAGES = [
  'express@4.21.2',
  'lodash@4.17.21',
  'react@19.0.0',
  'axios@1.7.9',
  'jsonwebtoken@9.0.2',
  'passport@0.7.0',
  '@aws-sdk/client-s3@3.716.0',
  'stripe@17.5.0',
  'firebase-admin@13.0.2',
  'octokit@4.0.3',
  'jose@5.9.6',
  'webpack@5.97.1',
  '@azure/storage-blob@12.26.0',
  'ssh2@1.16.0',
  'mongodb@6.12.0',
  'openai@4.77.0',
  '@slack/web-api@7.8.0',
  'twilio@5.4.0',
  'node-forge@1.3.1',
  'undici@7.2.0',
] as const;
/** False positives of any severity that are accepted over all packages. */
const MAX_FALSE_POSITIVES = 0;
const BINARY_PROBE = 8_000;

let root = '';
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'weir-packages-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function unpack(name: string): string {
  const folder = mkdtempSync(path.join(root, 'p-'));
  const packed = JSON.parse(
    execFileSync('npm', ['pack', name, '--json', '--ignore-scripts', '--pack-destination', folder], { encoding: 'utf8', maxBuffer: 64_000_000 }),
  ) as { filename: string }[];
  const archive = packed[0]?.filename.replace('@', '').replaceAll('/', '-') ?? '';
  const unpacked = mkdtempSync(path.join(folder, 'files-'));
  execFileSync('tar', ['xzf', path.join(folder, archive), '--strip-components=1', '-C', unpacked]);
  return unpacked;
}

function addedFiles(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry => {
    if (!entry.isFile()) return [];
    const bytes = readFileSync(path.join(entry.parentPath, entry.name));
    if (bytes.subarray(0, BINARY_PROBE).includes(0)) return [];
    return [addedFile(path.relative(folder, path.join(entry.parentPath, entry.name)), bytes.toString('utf8').split('\n'))];
  });
}

test(`${verifies('SPEC-6')} twenty published npm packages, every file as if it were added, raise no finding`, async () => {
  const found: string[] = [];
  let lines = 0;
  for (const name of PACKAGES) {
    const files = addedFiles(unpack(name));
    expect(files.length, name).toBeGreaterThan(1);
    lines += files.reduce((sum, file) => sum + (file.hunks[0]?.lines.length ?? 0), 0);
    const result = await specialist.review?.check?.({ files, signal: { aborted: false } });
    for (const finding of result?.findings ?? []) found.push(`${finding.severity} ${finding.rule} ${name} ${finding.path}:${finding.line} ${finding.quote}`);
  }
  console.log(`${PACKAGES.length} packages, ${lines} lines, ${found.length} findings`);
  expect(lines).toBeGreaterThan(300_000);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(MAX_FALSE_POSITIVES);
});
