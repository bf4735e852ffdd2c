/** What settings become of a round: the operator's, and what the target branch of a repository adds. */
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { withRepository } from './load-settings.ts';
import { roundSettings } from './round-settings.ts';

test(`${verifies('REV-20d', 'REV-37')} labels that leave a change out come from the operator, and a repository may add some`, async () => {
  const operator = { flags: {}, env: { WEIR_IGNORE_LABELS: 'no-review' }, secretFiles: {}, file: null, repository: null };
  const settings = await withRepository(operator, async () => 'review:\n  ignoreLabels: [wip-*]\n');
  expect(await roundSettings(settings)).toMatchObject({ ignore: { labels: ['no-review', 'wip-*'] }, refused: [] });
});
