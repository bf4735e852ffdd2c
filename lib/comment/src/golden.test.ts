/** Every document in every dialect, as files to read: fixtures/golden/<provider>/<document>.md. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import {
  type CheckFacts,
  type Dialect,
  type InlineFacts,
  readMarker,
  renderCheck,
  renderInline,
  renderAnswer,
  renderDescription,
  renderHelp,
  renderNotice,
  renderReply,
  renderSummary,
  type SummaryFacts,
} from './index.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const providers = path.join(root, 'descriptors/providers');

/** The one line of a descriptor that holds its dialect, as JSON. */
function dialectOf(provider: string): Dialect | undefined {
  const [, row] = /^dialect: (\{.+\})$/m.exec(readFileSync(path.join(providers, provider, 'provider.yaml'), 'utf8')) ?? [];
  return row === undefined
    ? undefined
    : (JSON.parse(
        row
          .replace(/(\w+):/g, '"$1":')
          .replace(/: (block|offset-block|none)/g, ': "$1"')
          .replaceAll("'", '"'),
      ) as Dialect);
}

const dialects = readdirSync(providers, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .flatMap(({ name }) => {
    const dialect = dialectOf(name);
    return dialect === undefined ? [] : [{ name, dialect }];
  });

const reviewId = '1f7ab3d0c45e9a7b1f7ab3d0c45e9a7b';
const head = '1f7ab3d9c0ffee00aa11bb22cc33dd44ee55ff66';

const inline: InlineFacts = {
  reviewId,
  round: 3,
  id: '3a',
  fingerprint: '5e'.repeat(32),
  severity: 'blocker',
  title: 'Ledger posts outside the transaction',
  message:
    'When `commit()` fails, the entry stays and the balance is wrong.\n\nTwo ways out:\n- post inside `withTransaction`\n- ask @kim or see #12\n```ts\nawait ledger.post(entry);\n```',
  evidence: [
    { path: 'src/settlement/ledger.ts', line: 42, note: 'the call', url: 'https://forge.example/team/shop/src/ledger.ts#L42' },
    { path: 'src/db.ts', line: null, note: '', url: null },
  ],
  suggestion: {
    replacement: '  await tx.post(entry);\n  await tx.close();\n',
    original: ['  await ledger.post(entry);', '  await tx.close();'],
    side: 'new',
    line: 41,
    endLine: 42,
  },
  moved: null,
  whole: null,
};

const summary: SummaryFacts = {
  reviewId,
  round: 3,
  head,
  headline: 'Not ready: 1 blocker, 1 major.',
  open: [
    {
      id: '3a',
      severity: 'blocker',
      title: 'Ledger posts outside the transaction',
      path: 'src/settlement/ledger.ts',
      line: 42,
      url: 'https://forge.example/t/1',
      unplaced: null,
    },
    {
      id: '2c',
      severity: 'major',
      title: 'Retry has no ceiling | none',
      path: 'src/settlement/retry.ts',
      line: 17,
      url: null,
      unplaced: { message: 'The loop ends when the server does.', reason: 'line 17 is not in the diff' },
    },
    { id: '3b', severity: 'note', title: 'A table would do', path: 'docs/a|b.md', line: 0, url: null, unplaced: null },
  ],
  closed: [
    { id: '1a', title: 'Key is logged', how: 'resolved', reason: null },
    { id: '1b', title: 'Clock is read twice', how: 'dismissed', reason: 'kim: meant so' },
  ],
  delta: { resolved: 4, stillOpen: 2, unchanged: 1 },
  reading: 'Read: 17 of 18 files, whole. Not read: 1.',
  unread: [{ path: 'data/big.jsonl', reason: 'larger than 512 KiB' }],
  notes: ['Context of the issue tracker did not arrive within 20 s.'],
  cost: '$0.44',
  page: 'https://weir.example/reviews/1f7a',
  attended: true,
  tasks: [{ key: 'rerun', text: 'run again' }],
};

const check: CheckFacts = {
  change: 12,
  round: 3,
  head,
  headline: 'Not ready: 1 blocker, 1 major.',
  open: { blocker: 1, major: 1, minor: 0, note: 1 },
  reading: 'Read: 18 of 18 files, whole.',
  blockedBy: 'a blocker is open, and this repository blocks on blockers',
  notes: [],
  page: 'https://weir.example/reviews/1f7a',
};

test('the supported forges have a dialect each', () => {
  expect(dialects.map(({ name }) => name).sort()).toEqual(['bitbucket-cloud', 'bitbucket-dc', 'gitea', 'github', 'gitlab']);
});

test.each(dialects)(`${verifies('REV-19', 'REV-18a')} every document in the dialect of $name`, async ({ name, dialect }) => {
  const reply = (verdict: 'resolved' | 'still_open') =>
    renderReply({ reviewId, round: 3, finding: '2c', verdict, commit: head, reason: 'The loop has a ceiling of `5` now.', whole: null }, dialect).body;
  const asked = { reviewId, round: 3, key: 'c0'.repeat(16) };
  const checkText = renderCheck(check, dialect);
  const documents: Record<string, string> = {
    inline: renderInline(inline, dialect).body,
    summary: renderSummary(summary, dialect).body,
    'first-summary': renderSummary(
      { ...summary, round: 1, delta: null, closed: [], unread: [], notes: [], cost: null, page: null, tasks: [], open: summary.open.slice(0, 1) },
      dialect,
    ).body,
    'reply-resolved': reply('resolved'),
    'reply-still-open': reply('still_open'),
    answer: renderAnswer({ ...asked, finding: '2c', prose: 'The loop has a ceiling of `5` now.', notes: [] }, dialect).body,
    description: renderDescription(
      { ...asked, head, prose: 'Adds a ceiling.\n\n- `retry.ts` has it', notes: ['The diff was read in part: 2 of 3 files.'] },
      dialect,
    ).body,
    help: renderHelp(
      { ...asked, finding: null, sentence: 'A comment may begin with one of these:', commands: [{ form: '/ask <question>', says: 'answers' }] },
      dialect,
    ).body,
    notice: renderNotice({ ...asked, finding: null, sentence: 'This review is archived; ask an operator to restore it.' }, dialect).body,
    check: `${checkText.description}\n\n${checkText.title}\n\n${checkText.summary}`,
  };
  for (const [document, body] of Object.entries(documents)) {
    await expect(`${body}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, '../fixtures/golden', name, `${document}.md`));
    if (document !== 'check') expect(readMarker(body)?.review).toBe(reviewId.slice(0, 16));
  }
});
