/** What every pool of credentials has to do (REV-32, MOD-16). */
import type { ModelProvider } from '@weir/contract';
import type { CredentialPick, CredentialPool } from './credential-pool.port.ts';
import { credentialPlace } from './credential-pool.port.ts';
import type { ModelConfigStore } from './model-config-store.port.ts';
import { failureCode, type SuiteTools } from './suite-tools.ts';

export interface CredentialPoolSuiteSubject {
  /** Two pools over the same credentials, and the providers that they belong to; both read the clock. Called inside each test. */
  readonly stores: (now: () => number) => { readonly pools: readonly [CredentialPool, CredentialPool]; readonly providers: ModelConfigStore };
}

const START = Date.parse('2026-01-02T03:04:05Z');
const MINUTE = 60_000;

const provider = (name: string): ModelProvider => ({
  name,
  baseUrl: 'https://models.example/v1',
  protocol: 'chat',
  auth: { scheme: 'bearer' },
  headers: {},
  facts: {},
  profile: { outputTokens: 'max_tokens', temperature: 'allowed', reasoningEffort: [], extra: {} },
  usageRule: 'openai',
});

const text = (pick: CredentialPick): string => (pick.available ? `${pick.ref} v${pick.version} ${pick.sealed}` : `${pick.reason} ${pick.returnsAt}`);

export function credentialPoolSuite({ stores }: CredentialPoolSuiteSubject, tools: SuiteTools): void {
  const clock = { at: START };
  /** A pool of its own for each test, with credentials in this order. */
  async function open(pool: string, ...refs: string[]): Promise<readonly [CredentialPool, CredentialPool]> {
    clock.at = START;
    const { pools, providers } = stores(() => clock.at);
    await providers.saveProvider(provider(pool));
    for (const ref of refs) await pools[0].add({ ref: `${pool}-${ref}`, modelProvider: pool, label: `label ${ref}`, sealed: `sealed ${ref}` });
    return pools;
  }
  rotationTests(open, clock, tools);
  operatorTests(open, clock, tools);
}

type Open = (pool: string, ...refs: string[]) => Promise<readonly [CredentialPool, CredentialPool]>;
type Clock = { at: number };

function rotationTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('one credential is used until it is exhausted, then the one that was exhausted longest ago', async () => {
    const [one, two] = await open('turn', 'a', 'b', 'c');
    expect([text(await one.pick('turn')), text(await two.pick('turn'))]).toEqual(['turn-a v1 sealed a', 'turn-a v1 sealed a']);
    await two.report('turn-a', 1, { kind: 'rate_limited', until: START + MINUTE });
    expect(text(await one.pick('turn'))).toBe('turn-b v1 sealed b');
    clock.at += 1_000;
    await one.report('turn-b', 1, { kind: 'rate_limited', until: START + 2 * MINUTE });
    clock.at += 1_000;
    expect(text(await two.pick('turn'))).toBe('turn-c v1 sealed c');
    await one.report('turn-c', 1, { kind: 'rate_limited', until: START + 3 * MINUTE });
    expect(text(await one.pick('turn'))).toBe(`rate_limited ${START + MINUTE}`);
    clock.at = START + 2 * MINUTE;
    expect(text(await two.pick('turn'))).toBe('turn-a v1 sealed a');
    await two.report('turn-a', 1, { kind: 'rate_limited', until: START + 9 * MINUTE });
    clock.at = START + 3 * MINUTE;
    expect(text(await two.pick('turn'))).toBe('turn-b v1 sealed b');
    clock.at = START + 9 * MINUTE;
    expect(text(await one.pick('turn'))).toBe('turn-b v1 sealed b');
  });

  test('a credential that was never exhausted comes before one that has recovered', async () => {
    const [one] = await open('fresh', 'a', 'b');
    await one.report('fresh-a', 1, { kind: 'rate_limited', until: START + MINUTE });
    clock.at += MINUTE;
    expect(text(await one.pick('fresh'))).toBe('fresh-b v1 sealed b');
  });

  test('a shorter limit does not end a longer one, and a limit does not end a rejection', async () => {
    const [one, two] = await open('longer', 'a');
    await one.report('longer-a', 1, { kind: 'rate_limited', until: START + 2 * MINUTE });
    await two.report('longer-a', 1, { kind: 'rate_limited', until: START + MINUTE });
    expect(text(await one.pick('longer'))).toBe(`rate_limited ${START + 2 * MINUTE}`);
    await one.report('longer-a', 1, { kind: 'rejected' });
    await two.report('longer-a', 1, { kind: 'rate_limited', until: START + MINUTE });
    clock.at += 9 * MINUTE;
    expect(text(await two.pick('longer'))).toBe('rejected null');
    expect((await two.list()).filter(({ ref }) => ref === 'longer-a')).toEqual([
      { ref: 'longer-a', modelProvider: 'longer', label: 'label a', version: 1, state: 'rejected', limitedUntil: null, exhaustedAt: START },
    ]);
  });

  test('an exhausted pool says why, and when capacity returns where it does', async () => {
    const [one] = await open('empty', 'a', 'b', 'c');
    await one.report('empty-a', 1, { kind: 'rejected' });
    await one.report('empty-b', 1, { kind: 'rate_limited', until: START + MINUTE });
    await one.setDisabled('empty-c', true);
    expect(text(await one.pick('empty'))).toBe(`rate_limited ${START + MINUTE}`);
    await one.setDisabled('empty-b', true);
    expect(text(await one.pick('empty'))).toBe('rejected null');
    await one.setDisabled('empty-a', true);
    expect(text(await one.pick('empty'))).toBe('none null');
    expect(text(await one.pick('nobody'))).toBe('none null');
  });

  test('a limit that has ended counts as available', async () => {
    const [one] = await open('ended', 'a');
    await one.report('ended-a', 1, { kind: 'rate_limited', until: START + MINUTE });
    const state = async (): Promise<unknown> => (await one.list()).filter(({ ref }) => ref === 'ended-a').map(row => [row.state, row.limitedUntil]);
    expect(await state()).toEqual([['rate_limited', START + MINUTE]]);
    clock.at += MINUTE;
    expect(await state()).toEqual([['available', null]]);
  });
}

function operatorTests(open: Open, clock: Clock, { test, expect }: SuiteTools): void {
  test('a new secret is available at once, and a late report about the old one is dropped', async () => {
    const [one, two] = await open('renew', 'a');
    await one.report('renew-a', 1, { kind: 'rejected' });
    await two.replaceSecret('renew-a', 'sealed anew');
    await one.report('renew-a', 1, { kind: 'rejected' });
    expect(text(await one.pick('renew'))).toBe('renew-a v2 sealed anew');
    await one.setDisabled('renew-a', true);
    await two.replaceSecret('renew-a', 'sealed again');
    expect(text(await one.pick('renew'))).toBe('none null');
    await one.setDisabled('renew-a', false);
    expect(text(await two.pick('renew'))).toBe('renew-a v3 sealed again');
  });

  test('a rejection survives being disabled and enabled', async () => {
    const [one] = await open('survive', 'a');
    await one.report('survive-a', 1, { kind: 'rejected' });
    await one.setDisabled('survive-a', true);
    await one.setDisabled('survive-a', false);
    expect(text(await one.pick('survive'))).toBe('rejected null');
  });

  test('no list shows a secret; what is gone is gone; strangers are refused', async () => {
    const [one, two] = await open('list', 'a', 'b');
    expect(JSON.stringify(await one.list()).includes('sealed')).toBe(false);
    await two.remove('list-a');
    expect((await one.list()).filter(({ modelProvider }) => modelProvider === 'list').map(({ ref }) => ref)).toEqual(['list-b']);
    const strangers = [
      () => one.remove('list-a'),
      () => one.replaceSecret('list-a', 's'),
      () => one.setDisabled('list-a', true),
      () => one.add({ ref: 'x', modelProvider: 'nobody', label: 'l', sealed: 's' }),
    ];
    for (const stranger of strangers) expect(await failureCode(stranger())).toBe('MODEL_UNKNOWN');
    expect(await failureCode(one.add({ ref: 'list-b', modelProvider: 'list', label: 'l', sealed: 's' }))).toBe('MODEL_INVALID');
    await one.report('list-a', 1, { kind: 'rejected' });
  });

  test('a rotation of the keyset walks through all secrets, and replaces only what it has read', async () => {
    const [one, two] = await open('walk', 'a', 'b', 'c');
    const walked: string[] = [];
    for (let after = ''; ; ) {
      const page = await one.secrets.list(after, 2);
      for (const { cursor, place, sealed } of page) {
        walked.push(cursor);
        if (place.row.startsWith('walk/')) {
          const ref = place.row.slice('walk/'.length);
          expect(place).toEqual(credentialPlace({ ref, modelProvider: 'walk' }));
          expect(await two.secrets.replace(cursor, 'something else', 'lost')).toBe(false);
          expect(await two.secrets.replace(cursor, sealed, `${sealed} anew`)).toBe(true);
        }
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.cursor;
    }
    expect(new Set(walked).size).toBe(walked.length);
    expect(text(await one.pick('walk'))).toBe('walk-a v1 sealed a anew');
    expect(clock.at).toBe(START);
  });
}
