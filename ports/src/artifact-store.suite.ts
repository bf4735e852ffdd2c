/** What every store of artifacts has to do (REV-13, REV-39). */
import { type Artifact, type ArtifactStore, MAX_ARTIFACT_BYTES } from './artifact-store.port.ts';
import type { SecretBox } from './secret-box.port.ts';
import { failureCode, type SuiteTools } from './suite-tools.ts';

export interface ArtifactSuiteSubject {
  /** Two over one store, as two processes have, with the box that both use; all read the clock. Called inside each test. */
  readonly stores: (now: () => number) => { readonly artifacts: readonly [ArtifactStore, ArtifactStore]; readonly box: SecretBox };
  /** What the store holds of an artifact, as it lies there. */
  readonly stored: (id: string) => Promise<string>;
  /** Puts the stored form of one artifact in the place of another. */
  readonly move: (from: string, to: string) => Promise<void>;
}

const NOW = 1_000_000;

const artifact = (id: string, changes: Partial<Artifact> = {}): Artifact => ({
  ...{ id, reviewId: 'ab'.repeat(16), kind: 'context', text: `text of ${id}`, expiresAt: null },
  ...changes,
});

export function artifactStoreSuite({ stores, stored, move }: ArtifactSuiteSubject, { test, expect }: SuiteTools): void {
  const clock = { at: NOW };
  function open(): readonly [ArtifactStore, ArtifactStore] {
    clock.at = NOW;
    return stores(() => clock.at).artifacts;
  }

  test('an artifact comes out as it went in, and lies encrypted', async () => {
    const [one, two] = open();
    const whole = artifact('whole', { kind: 'report', text: '{"quote":"a\u0000 \u2028 é 🎉 \\n"}', expiresAt: NOW + 5 });
    await one.put(whole);
    expect(await two.get('whole')).toEqual(whole);
    expect((await stored('whole')).includes('quote')).toBe(false);
    expect(await two.get('none')).toBe(undefined);
  });

  test('written again, the first text stays', async () => {
    const [one, two] = open();
    await one.put(artifact('again', { expiresAt: NOW + 10 }));
    await two.put(artifact('again', { text: 'another', expiresAt: null }));
    expect(await one.get('again')).toEqual(artifact('again', { expiresAt: NOW + 10 }));
  });

  test('what has expired is gone before it is swept, and its id is free again', async () => {
    const [one, two] = open();
    await one.put(artifact('ends', { expiresAt: NOW + 10 }));
    clock.at = NOW + 9;
    expect((await two.get('ends'))?.text).toBe('text of ends');
    clock.at = NOW + 10;
    expect(await two.get('ends')).toBe(undefined);
    await two.put(artifact('ends', { text: 'anew' }));
    expect((await one.get('ends'))?.text).toBe('anew');
  });

  test('a sweep deletes what has expired, oldest first and no more than it may', async () => {
    const [one, two] = open();
    while ((await one.sweep(NOW * 2, 100)) > 0);
    for (const [id, expiresAt] of [
      ['s1', NOW + 1],
      ['s2', NOW + 2],
      ['s3', NOW + 3],
      ['s4', null],
    ] as const)
      await one.put(artifact(id, { expiresAt }));
    expect([await two.sweep(NOW + 3, 1), await one.sweep(NOW + 3, 100), await two.sweep(NOW + 3, 100)]).toEqual([1, 1, 0]);
    const left = await Promise.all(['s1', 's2', 's3', 's4'].map(async id => (await one.get(id)) !== undefined));
    expect(left).toEqual([false, false, true, true]);
  });

  test('a ciphertext that was moved to another row does not open', async () => {
    const [one] = open();
    await one.put(artifact('from'));
    await one.put(artifact('to'));
    await move('from', 'to');
    expect(await failureCode(one.get('to'))).toBe('SECRET_UNREADABLE');
  });

  test('a text above the limit is refused by name', async () => {
    const [one] = open();
    expect(await failureCode(one.put(artifact('large', { text: 'é'.repeat(MAX_ARTIFACT_BYTES / 2 + 1) })))).toBe('INPUT_TOO_LARGE');
    expect(await one.get('large')).toBe(undefined);
  });
}
