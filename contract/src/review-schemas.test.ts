/** The shapes of a review's messages, nested ones included: stored events are read for years, so that a change has to be meant. */
import path from 'node:path';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ReviewCommand, ReviewEvent, ReviewResult, ReviewWork } from './index.ts';

test.each([
  ['events', ReviewEvent],
  ['commands', ReviewCommand],
  ['work', ReviewWork],
  ['results', ReviewResult],
])(`${verifies('REV-3')} the review's %s have the shape that is on record`, async (name, schema) => {
  const shape = JSON.stringify(z.toJSONSchema(schema), null, 1);
  await expect(`${shape}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, `../fixtures/review-${name}.schema.json`));
});
