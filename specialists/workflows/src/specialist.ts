/** What the workflows specialist declares: risks of CI pipelines, found without a model. */
import type { Specialist } from '@weir/specialist-kit';
import { check } from './check.ts';
import { ciFileOf } from './ci-file.ts';
import { rules } from './rules.ts';

export const specialist: Specialist = {
  key: 'workflows',
  title: 'CI workflows',
  routingHint: 'Risks in CI workflow files: script injection, unpinned actions, permissions, privileged checkouts, self-hosted runners.',
  review: {
    dimensions: ['CI workflow risks'],
    appliesTo: path => ciFileOf(path) !== undefined,
    rules: Object.values(rules),
    check,
  },
};
