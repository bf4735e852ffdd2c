/** The three pull requests of the demonstration, their follow-up pushes, and what has to stand on the forge in the end. */
import type { Change, Thread } from '@weir/forge-simulator';

export interface DemoChange {
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  readonly files: Readonly<Record<string, string>>;
  /** Why the author pushes again. */
  readonly then: string;
  readonly followUp: Readonly<Record<string, string>>;
  /** What somebody writes into the first thread before that push. */
  readonly reply?: string;
  /** What is wrong in the end; nothing where all is as it should be. */
  readonly problems: (seen: SeenChange) => readonly string[];
}

export interface SeenChange {
  readonly inline: readonly Thread[];
  /** Bodies of Weir's summary; one is as it should be. */
  readonly summaries: readonly string[];
  readonly change: Change;
  readonly ways: ForgeWays;
}

/** What a forge can do in a thread. */
export interface ForgeWays {
  /** Its API resolves a thread; else a reply stands beside it, as a comment of its own. */
  readonly resolves: boolean;
}

const retry = (ceiling: string): string =>
  [
    'export async function retry<T>(work: () => Promise<T>, left = 5): Promise<T> {',
    '  try {',
    '    return await work();',
    '  } catch (error) {',
    `    ${ceiling}`,
    '  }',
    '}',
    '',
  ].join('\n');

const MIGRATION = 'alter table customers add column email text not null;\ncreate index customers_by_email on customers (email);\n';

const expectThat = (holds: boolean, sentence: string): readonly string[] => (holds ? [] : [sentence]);
const remarksIn = (threads: readonly Thread[]): number => threads.reduce((sum, { remarks }) => sum + remarks.length, 0);

export const DEMO_CHANGES: readonly DemoChange[] = [
  {
    branch: 'retry',
    title: 'Retry failed requests',
    body: 'A request that fails is made again.',
    files: { 'src/retry.ts': retry('return retry(work); // weir-plant: major reliability Retry has no ceiling') },
    reply: 'Why does it need one?',
    then: 'the author gives the retry a ceiling',
    followUp: { 'src/retry.ts': retry('if (left === 0) throw error;\n    return retry(work, left - 1);') },
    problems: ({ inline, summaries, ways }) => [
      ...expectThat(remarksIn(inline) === 4, 'the finding, the question, its answer and the word that it is resolved were expected'),
      ...expectThat(inline[0]?.resolved === ways.resolves, 'the thread was expected to be resolved where the forge can'),
      ...expectThat(summaries.length === 1 && summaries[0]?.includes('1 resolved') === true, 'one summary was expected, which counts one resolved finding'),
    ],
  },
  {
    branch: 'email',
    title: 'Keep the e-mail address of a customer',
    body: 'Customers get a receipt.',
    files: { 'migrations/0007_customers.sql': MIGRATION },
    then: 'the author adds a test and leaves the migration as it is',
    followUp: { 'tests/customers.md': 'The column holds an address.\n' },
    problems: ({ inline, summaries }) => [
      ...expectThat(inline.length > 0, 'a finding on the migration was expected'),
      ...expectThat(
        inline.every(({ resolved, remarks }) => !resolved && remarks.length === 1),
        'an open finding was expected to stay silent',
      ),
      ...expectThat(summaries.length === 1 && summaries[0]?.includes('Round 2') === true, 'one summary was expected, rewritten in round 2'),
    ],
  },
  {
    branch: 'names',
    title: 'Say what the rate is',
    body: 'No change in what it does.',
    files: { 'src/rate.ts': 'export const RATE_PER_MINUTE = 60;\n' },
    then: 'the author adds a second constant, with a fault',
    followUp: { 'src/rate.ts': 'export const RATE_PER_MINUTE = 60;\nexport const LIMIT = 60 / 0; // weir-plant: blocker correctness The limit is infinite\n' },
    problems: ({ inline, summaries }) => [
      ...expectThat(inline.length === 1, `one thread was expected, there are ${inline.length}`),
      ...expectThat(summaries.length === 1 && summaries[0]?.includes('1 blocker') === true, 'one summary was expected, which names one blocker'),
    ],
  },
];
