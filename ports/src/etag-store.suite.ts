/** What every store of ETags has to do (PRV-14). */
import type { EtagBounds, EtagEntry, EtagKey, EtagStore } from './etag-store.port.ts';
import type { SuiteTools } from './suite-tools.ts';

export interface EtagSuiteSubject {
  /** An empty store. Called inside each test. */
  readonly open: (bounds: EtagBounds, now: () => number) => Promise<EtagStore>;
}

const BOUNDS: EtagBounds = { maxEntries: 3, maxBytes: 100, maxEntryBytes: 60 };
const MINUTE = 60_000;

const key = (url: string, changes: Partial<EtagKey> = {}): EtagKey => ({ provider: 'p', credential: 'c', accept: 'json', url, ...changes });
const entry = (size: number, etag = '"e"'): EtagEntry => ({ etag, status: 200, headers: { link: '<x>; rel="next"' }, body: new Uint8Array(size).fill(7) });

export function etagStoreSuite({ open }: EtagSuiteSubject, { test, expect }: SuiteTools): void {
  const clock = { at: Date.parse('2026-01-02T03:04:05.678Z') };
  const store = (): Promise<EtagStore> => open(BOUNDS, () => clock.at);
  const kept = async (etags: EtagStore, urls: readonly string[]): Promise<string[]> => {
    const found = await Promise.all(urls.map(async url => ((await etags.get(key(url))) === undefined ? '' : url)));
    return found.filter(url => url !== '');
  };

  test('an answer comes back whole, for its own credential, provider and media type alone', async () => {
    const etags = await store();
    expect(await etags.put(key('/a'), entry(9))).toBe(true);
    expect(await etags.get(key('/a'))).toEqual(entry(9));
    for (const other of [{ credential: 'd' }, { provider: 'q' }, { accept: 'diff' }, { url: '/a?' }]) {
      expect(await etags.get(key('/a', other))).toBe(undefined);
    }
  });

  test('an answer replaces the one before', async () => {
    const etags = await store();
    await etags.put(key('/a'), entry(9));
    await etags.put(key('/a'), entry(5, 'W/"f"'));
    expect(await etags.get(key('/a'))).toEqual(entry(5, 'W/"f"'));
  });

  test('beyond the number of entries what was used longest ago goes', async () => {
    const etags = await store();
    for (const url of ['/a', '/b', '/c']) {
      await etags.put(key(url), entry(1));
      clock.at += MINUTE;
    }
    await etags.get(key('/a'));
    clock.at += MINUTE;
    await etags.put(key('/d'), entry(1));
    expect(await kept(etags, ['/a', '/b', '/c', '/d'])).toEqual(['/a', '/c', '/d']);
  });

  test('beyond the bytes of all bodies what was used longest ago goes', async () => {
    const etags = await store();
    for (const url of ['/a', '/b', '/c']) {
      await etags.put(key(url), entry(45));
      clock.at += MINUTE;
    }
    expect(await kept(etags, ['/a', '/b', '/c'])).toEqual(['/b', '/c']);
  });

  test('a body that is too large is not kept, and what was there goes', async () => {
    const etags = await store();
    await etags.put(key('/a'), entry(60));
    expect(await etags.put(key('/a'), entry(61))).toBe(false);
    expect(await etags.get(key('/a'))).toBe(undefined);
  });

  test('a credential that is gone takes its answers along', async () => {
    const etags = await store();
    await etags.put(key('/a'), entry(1));
    await etags.put(key('/a', { credential: 'd' }), entry(1));
    await etags.forget({ provider: 'p', credential: 'c' });
    expect(await etags.get(key('/a'))).toBe(undefined);
    expect(await etags.get(key('/a', { credential: 'd' }))).toEqual(entry(1));
  });

  test('many writers at once keep to the bounds', async () => {
    const etags = await store();
    const urls = Array.from({ length: 30 }, (_, index) => `/${index}`);
    await Promise.all(urls.map(url => etags.put(key(url), entry(1))));
    await etags.put(key('/last'), entry(1));
    expect((await kept(etags, urls)).length <= BOUNDS.maxEntries).toBe(true);
  });
}
