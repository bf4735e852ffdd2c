/** What every audit log has to do (PRV-18). */
import { type AuditHash, type AuditPoint, verifyAuditChain } from './audit-chain.ts';
import type { AuditEntry, AuditStore } from './audit-store.port.ts';
import type { SuiteTools } from './suite-tools.ts';

export interface AuditSuiteSubject {
  /** Two stores over one log, as two processes have them. The tests run in order and share it. */
  readonly stores: () => readonly [AuditStore, AuditStore];
  readonly hash: AuditHash;
}

const intent = (actor: string): AuditEntry => ({
  kind: 'intent',
  actor,
  provider: 'p',
  capability: 'comment.create',
  operation: 'comments/create',
  argsDigest: 'ab'.repeat(32),
  receipt: null,
  at: '2026-01-02T03:04:05.678Z',
});

export function auditStoreSuite({ stores, hash }: AuditSuiteSubject, { test, expect }: SuiteTools): void {
  test('an intent and its outcome are lines of one chain', async () => {
    const [one, two] = stores();
    const sent = await one.append(intent('ann'));
    const { at, actor, provider, capability, operation, argsDigest } = intent('ann');
    const ended = await two.append({
      kind: 'outcome',
      intent: sent.sequence,
      result: 'succeeded',
      status: 201,
      at,
      actor,
      provider,
      capability,
      operation,
      argsDigest,
    });
    expect([sent.sequence, ended.sequence]).toEqual([1, 2]);
    const lines = await one.read(0, 10);
    expect(lines).toEqual([sent, ended]);
    expect(JSON.parse(ended.text)).toEqual({
      kind: 'outcome',
      intent: 1,
      result: 'succeeded',
      status: 201,
      at,
      actor,
      provider,
      capability,
      operation,
      argsDigest,
    });
    expect(await verifyAuditChain(lines, hash)).toEqual({ intact: true, lines: 2, last: { sequence: 2, hash: ended.hash } });
  });

  test('texts of any kind hash alike in the store and outside', async () => {
    const [one, two] = stores();
    for (const actor of ['', 'é 漢 😀', 'a\nb\r\0c', `'"\\$1 {,}`, 'NULL', '\ud800']) await one.append(intent(actor));
    expect((await verifyAuditChain(await two.read(0, 100), hash)).intact).toBe(true);
  });

  test('appends from all processes at once make one chain without gaps', async () => {
    const [one, two] = stores();
    const before = (await one.read(0, 1_000)).length;
    const lines = await Promise.all(Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? one : two).append(intent(`writer ${index}`))));
    expect(new Set(lines.map(({ sequence }) => sequence)).size).toBe(300);
    const all = await two.read(0, 1_000);
    expect(all.length).toBe(before + 300);
    expect((await verifyAuditChain(all, hash)).intact).toBe(true);
    for (const line of lines) expect(all[line.sequence - 1]).toEqual(line);
  });

  test('the log is read in pages, and verified on from a point', async () => {
    const [one] = stores();
    const all = await one.read(0, 1_000);
    const page = await one.read(5, 3);
    expect(page).toEqual(all.slice(5, 8));
    const after: AuditPoint = { sequence: 5, hash: all[4]?.hash ?? '' };
    expect(await verifyAuditChain(page, hash, { after })).toEqual({ intact: true, lines: 3, last: { sequence: 8, hash: page[2]?.hash } });
    expect(await one.read(all.length, 10)).toEqual([]);
  });
}
