/** What every store of posting claims has to do (REV-18). */
import type { PostingClaims } from './posting-claims.port.ts';
import type { SuiteTools } from './suite-tools.ts';

export interface PostingClaimsSuiteSubject {
  /** Two over the same claims, as two processes have. Called inside each test. */
  readonly open: () => readonly [PostingClaims, PostingClaims];
}

const holder = (fence: string) => ({ reviewId: 'ab'.repeat(16), fence });

export function postingClaimsSuite({ open }: PostingClaimsSuiteSubject, { test, expect }: SuiteTools): void {
  test('a call is claimed once, and what came of it is told to whoever asks later', async () => {
    const [one, two] = open();
    expect(await one.claim('once', holder('9'))).toEqual({ state: 'claimed' });
    expect(await one.settle('once', '9', { comments: ['1', '2'], text: 'é\u2028' })).toBe(true);
    for (const fence of ['8', '9', '10']) {
      expect(await two.claim('once', holder(fence))).toEqual({ state: 'done', result: { comments: ['1', '2'], text: 'é\u2028' } });
    }
  });

  test('an unfinished claim is taken over by a higher fence, as a number, and the lower one is refused', async () => {
    const [one, two] = open();
    await one.claim('over', holder('9'));
    expect(await two.claim('over', holder('10'))).toEqual({ state: 'taken_over' });
    expect(await one.claim('over', holder('9'))).toEqual({ state: 'held' });
    expect(await one.settle('over', '9', 'late')).toBe(false);
    expect(await two.settle('over', '10', 'in time')).toBe(true);
    expect(await one.claim('over', holder('9'))).toEqual({ state: 'done', result: 'in time' });
  });

  test('a holder that asks again for what it has not finished looks at the forge first', async () => {
    const [one] = open();
    await one.claim('same', holder('5'));
    expect(await one.claim('same', holder('5'))).toEqual({ state: 'taken_over' });
    expect(await one.settle('same', '5', null)).toBe(true);
    expect(await one.claim('same', holder('5'))).toEqual({ state: 'done', result: null });
  });

  test('settled twice, the first result stays; what nobody claimed is not settled', async () => {
    const [one, two] = open();
    await one.claim('twice', holder('5'));
    expect([await one.settle('twice', '5', 1), await two.settle('twice', '5', 2), await two.settle('nobody', '5', 2)]).toEqual([true, true, false]);
    expect(await two.claim('twice', holder('6'))).toEqual({ state: 'done', result: 1 });
    expect(await one.claim('nobody', holder('5'))).toEqual({ state: 'claimed' });
  });

  test('of many that ask at once one begins', async () => {
    const [one, two] = open();
    const states = await Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? one : two).claim('race', holder(String(at + 1)))));
    const counted = (state: string): number => states.filter(claim => claim.state === state).length;
    expect([counted('claimed'), counted('done'), counted('claimed') + counted('taken_over') + counted('held')]).toEqual([1, 0, 10]);
    expect(await one.claim('race', holder('9'))).toEqual({ state: 'held' });
  });
}
