/** What every read model of reviews has to do (REV-3a). */
import type { Envelope } from '@weir/contract';
import { sampleEnvelope } from './envelope-sample.ts';
import type { ReviewFilter, ReviewFolds, ReviewViews } from './review-views.port.ts';
import type { SqlPort } from './sql.port.ts';
import { failureCode, failureMessage, type SuiteTools } from './suite-tools.ts';

export interface SampleReviewEvent {
  readonly at: string;
  readonly set?: Partial<SampleRow>;
  readonly fail?: boolean;
}

export interface SampleRow {
  readonly review: string;
  readonly status: string | null;
  readonly archived: boolean;
  readonly repository: string | null;
  readonly change: number | null;
  readonly updatedAt: string;
  readonly count: number;
  readonly title?: string;
  readonly blockers?: number;
}

export type SamplePage = readonly string[];

export interface ReviewViewsSuiteSubject {
  readonly database: () => SqlPort;
  /** Two over the same rows, as two processes have. Called inside each test. */
  readonly open: (parts: {
    readonly folds: ReviewFolds<SampleReviewEvent & { readonly review: string }, SampleRow, SamplePage>;
    readonly open: (envelope: Envelope) => SampleReviewEvent & { readonly review: string };
  }) => readonly [ReviewViews<SampleRow, SamplePage>, ReviewViews<SampleRow, SamplePage>];
}

type Views = ReviewViews<SampleRow, SamplePage>;

const folds: ReviewFolds<SampleReviewEvent & { readonly review: string }, SampleRow, SamplePage> = {
  list: (row, { review, at, set, fail }) => {
    if (fail === true) throw new Error('the fold fails');
    const before = row ?? { review, status: null, archived: false, repository: null, change: null, updatedAt: at, count: 0 };
    return { ...before, ...set, updatedAt: at, count: before.count + 1 };
  },
  page: (page, { at }) => [...(page ?? []), at],
  columns: ({ status, archived, repository, change, updatedAt, title = '', blockers = 0 }) => ({
    ...{ forge: null, origin: null, status, archived, repository, change, updatedAt },
    ...{ since: updatedAt, openBlockers: blockers, words: title.toLowerCase() },
  }),
};

const moment = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

export function reviewViewsSuite({ database, open }: ReviewViewsSuiteSubject, tools: SuiteTools): void {
  const both = (): readonly [Views, Views] => open({ folds, open: ({ subject, data }) => ({ ...(data as unknown as SampleReviewEvent), review: subject }) });

  /** Events of reviews, as one append; its number in the stream is of no interest here. */
  const append = (views: Views, ...events: readonly (SampleReviewEvent & { readonly review: string })[]): Promise<void> =>
    database().transaction(session =>
      views.projection.project(
        session,
        events.map(({ review, ...data }, index) => ({
          stream: review,
          version: index + 1,
          envelope: sampleEnvelope(`${review}-${index}`, { subject: review, data: data as unknown as Envelope['data'] }),
        })),
      ),
    );
  foldTests(both, append, tools);
  listTests(both, append, tools);
}

type Both = () => readonly [Views, Views];
type Append = (views: Views, ...events: readonly (SampleReviewEvent & { readonly review: string })[]) => Promise<void>;

function foldTests(both: Both, append: Append, { test, expect }: SuiteTools): void {
  test('the events of an append are folded over what is stored, each review by itself', async () => {
    const [one, two] = both();
    await append(one, { review: 'f1', at: moment(1), set: { status: 'queued' } });
    const title = 'a title with \0';
    await append(two, { review: 'f1', at: moment(2) }, { review: 'f2', at: moment(3) }, { review: 'f1', at: moment(4), set: { title } });
    expect((await one.get('f1'))?.row).toEqual({
      ...{ review: 'f1', status: 'queued', archived: false, repository: null, change: null },
      ...{ updatedAt: moment(4), count: 3, title },
    });
    expect([(await one.get('f1'))?.page, (await two.get('f2'))?.page]).toEqual([[moment(1), moment(2), moment(4)], [moment(3)]]);
    expect(await one.get('f3')).toBe(undefined);
  });

  test('a fold that fails undoes all that its append wrote', async () => {
    const [one] = both();
    await append(one, { review: 'u1', at: moment(1) });
    const failing = append(one, { review: 'u1', at: moment(2) }, { review: 'u2', at: moment(2) }, { review: 'u1', at: moment(3), fail: true });
    expect(await failureMessage(failing)).toBe('the fold fails');
    expect([(await one.get('u1'))?.row.count, await one.get('u2')]).toEqual([1, undefined]);
  });
}

/** All pages of a list, as the reviews on each. */
async function pages(views: Views, filter: ReviewFilter, limit: number): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (let after: string | null = null; ; ) {
    const { rows, next }: Awaited<ReturnType<Views['list']>> = await views.list(filter, { limit, after });
    found.push(rows.map(({ review }) => review));
    if (next === null) return found;
    after = next;
  }
}

function listTests(both: Both, append: Append, { test, expect }: SuiteTools): void {
  /** Ten reviews of a repository of their own; the moments of some are the same. */
  async function ten(views: Views, repository: string): Promise<void> {
    for (let at = 0; at < 10; at += 1) {
      const set = { repository, change: at % 5, status: ['queued', 'failed', 'completed'][at % 3] ?? null, archived: at === 7 };
      await append(views, { review: `${repository}-${at}`, at: moment(100 + Math.floor(at / 2)), set });
    }
  }

  test('a text is looked for as it is written, and its signs mean nothing', async () => {
    const [one, two] = both();
    await append(one, { review: 't1', at: moment(1), set: { repository: 't', title: 'Settle 100% of a_b \0 \\ at once' } });
    await append(one, { review: 't2', at: moment(2), set: { repository: 't', title: 'Settle 100 of axb' } });
    const found = async (text: string): Promise<readonly string[]> => (await pages(two, { repository: 't', text }, 5)).flat();
    expect(await found('settle')).toEqual(['t2', 't1']);
    expect([await found('0% OF'), await found('a_b'), await found('\\ AT'), await found('nothing')]).toEqual([['t1'], ['t1'], ['t1'], []]);
  });

  test('the totals count what is not archived, by status, and add up the open blockers', async () => {
    const [one, two] = both();
    const before = await two.totals(moment(5_000));
    const count = (totals: typeof before, status: string | null): number => totals.byStatus.find(row => row.status === status)?.count ?? 0;
    await append(one, { review: 's1', at: moment(4_000), set: { status: 'totalled', blockers: 2 } });
    await append(one, { review: 's2', at: moment(5_000), set: { status: 'totalled', blockers: 3 } });
    await append(one, { review: 's3', at: moment(5_000), set: { status: 'totalled', blockers: 7, archived: true } });
    const after = await two.totals(moment(5_000));
    expect(count(after, 'totalled') - count(before, 'totalled')).toBe(2);
    expect(after.byStatus.find(({ status }) => status === 'totalled')?.since).toBe(1);
    expect(after.openBlockers - before.openBlockers).toBe(5);
    const blocked = await pages(two, { status: ['totalled'], archived: false, blockers: true }, 5);
    expect(blocked.flat()).toEqual(['s2', 's1']);
  });

  test('a list comes in pages, newest first, without a gap and without a repeat', async () => {
    const [one, two] = both();
    await ten(one, 'p');
    const whole = ['p-9', 'p-8', 'p-7', 'p-6', 'p-5', 'p-4', 'p-3', 'p-2', 'p-1', 'p-0'];
    for (const limit of [1, 3, 5, 10, 11]) {
      const found = await pages(two, { repository: 'p' }, limit);
      expect(found.flat()).toEqual(whole);
      expect(found.length).toBe(Math.ceil(10 / limit));
    }
    expect(await failureCode(one.list({}, { limit: 1, after: 'foreign' }))).toBe('USAGE');
  });

  test('a review that changes moves to the front, and is not lost between two pages', async () => {
    const [one] = both();
    await ten(one, 'm');
    const first = await one.list({ repository: 'm' }, { limit: 4, after: null });
    await append(one, { review: 'm-0', at: moment(900) });
    const second = await one.list({ repository: 'm' }, { limit: 10, after: first.next });
    expect(second.rows.map(({ review }) => review)).toEqual(['m-5', 'm-4', 'm-3', 'm-2', 'm-1']);
    expect((await pages(one, { repository: 'm' }, 4))[0]).toEqual(['m-0', 'm-9', 'm-8', 'm-7']);
  });

  test('filters are joined: status, archive, repository, change', async () => {
    const [one] = both();
    await ten(one, 'w');
    const of = async (filter: ReviewFilter): Promise<unknown> => (await pages(one, { repository: 'w', ...filter }, 2)).flat();
    expect(await of({ status: ['failed', 'queued', 'failed'] })).toEqual(['w-9', 'w-7', 'w-6', 'w-4', 'w-3', 'w-1', 'w-0']);
    expect(await of({ status: ['failed'], archived: false })).toEqual(['w-4', 'w-1']);
    expect([await of({ archived: true }), await of({ change: 3 }), await of({ change: 3, status: ['completed'] })]).toEqual([['w-7'], ['w-8', 'w-3'], ['w-8']]);
    expect([await of({ status: [] }), await of({ status: ['unheard'] }), await of({ change: 99 })]).toEqual([[], [], []]);
  });

  test('what has stood in a status for long is found, oldest first, unless it is archived', async () => {
    const [one] = both();
    for (const [review, second, set] of [
      ['late', 3, { status: 'stuck-a' }],
      ['early', 1, { status: 'stuck-b' }],
      ['away', 0, { status: 'stuck-a', archived: true }],
      ['fresh', 9, { status: 'stuck-a' }],
    ] as const)
      await append(one, { review, at: moment(second), set });
    const stuck = async (limit: number): Promise<unknown> => (await one.stuck(['stuck-a', 'stuck-b'], moment(9), limit)).map(({ review }) => review);
    expect([await stuck(9), await stuck(1), await one.stuck([], moment(9), 9)]).toEqual([['early', 'late'], ['early'], []]);
  });
}
