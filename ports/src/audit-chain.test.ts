import { createHash } from 'node:crypto';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { AUDIT_START, auditLink, auditText, verifyAuditChain } from './audit-chain.ts';
import type { AuditLine } from './audit-store.port.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function chain(...texts: string[]): AuditLine[] {
  const lines: AuditLine[] = [];
  for (const text of texts) {
    const sequence = lines.length + 1;
    lines.push({ sequence, text, hash: sha256(auditLink(lines.at(-1)?.hash ?? AUDIT_START, sequence, text)) });
  }
  return lines;
}

const intact = chain('{"a":1}', '{"a":2}', '{"a":3}');
const point = ({ sequence, hash }: AuditLine): { sequence: number; hash: string } => ({ sequence, hash });
const at = (index: number): AuditLine => intact[index] ?? { sequence: 0, text: '', hash: '' };

test(`${verifies('PRV-18')} a chain that nobody touched verifies, from its start, from a point, and when it is empty`, async () => {
  expect(await verifyAuditChain(intact, sha256)).toEqual({ intact: true, lines: 3, last: point(at(2)) });
  expect(await verifyAuditChain(intact.slice(1), sha256, { after: point(at(0)), anchor: point(at(2)) })).toEqual({
    intact: true,
    lines: 2,
    last: point(at(2)),
  });
  expect(await verifyAuditChain([], sha256)).toEqual({ intact: true, lines: 0, last: undefined });
});

test.each([
  ['a changed text', [at(0), { ...at(1), text: '{"a":9}' }, at(2)], 2, /Line 2 does not fit/],
  ['a changed hash', [{ ...at(0), hash: at(1).hash }, at(1), at(2)], 1, /Line 1 does not fit/],
  ['a changed text with a hash that fits it', [at(0), ...chain('x', 'y').slice(1), at(2)], 2, /Line 2 does not fit/],
  ['a line cut out', [at(0), at(2)], 2, /Line 2 is missing; line 3 follows/],
  ['a line cut out and the rest renumbered', [at(0), { ...at(2), sequence: 2 }], 2, /Line 2 does not fit/],
  ['lines swapped', [at(1), at(0), at(2)], 1, /Line 1 is missing/],
  ['a start cut off', [at(1), at(2)], 1, /Line 1 is missing/],
])(`${verifies('PRV-18')} %s is found, with its place`, async (_, lines, sequence, sentence) => {
  expect(await verifyAuditChain(lines, sha256)).toEqual({ intact: false, sequence, sentence: expect.stringMatching(sentence) });
});

test(`${verifies('PRV-18')} an anchor finds an end that was cut off and a log that was written anew`, async () => {
  const anchor = point(at(2));
  expect((await verifyAuditChain(intact.slice(0, 2), sha256)).intact).toBe(true);
  expect(await verifyAuditChain(intact.slice(0, 2), sha256, { anchor })).toMatchObject({
    intact: false,
    sequence: 3,
    sentence: expect.stringContaining('cut off'),
  });
  expect(await verifyAuditChain(chain('1', '2', '3'), sha256, { anchor })).toMatchObject({
    intact: false,
    sequence: 3,
    sentence: expect.stringContaining('anew'),
  });
});

test('the text of an entry does not depend on the order of its keys', () => {
  const subject = { at: 't', actor: 'a', provider: 'p', capability: 'c', operation: 'o', argsDigest: 'd' };
  expect(auditText({ kind: 'intent', receipt: null, ...subject })).toBe(auditText({ ...subject, receipt: null, kind: 'intent' }));
});
