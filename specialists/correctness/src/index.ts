/**
 * The correctness reviewer: a prompt for a model, and the rules under which its findings stand.
 * It has no check of its own; without a model it reports nothing.
 */
import type { Specialist } from '@weir/specialist-kit';
import { instructions } from './instructions.ts';
import { rules } from './rules.ts';

export const specialist: Specialist = {
  key: 'correctness',
  title: 'Correctness',
  routingHint: 'Judges whether a change does what it should: wrong results, unsafe input, lost data, broken callers.',
  review: { dimensions: ['correctness'], appliesTo: () => true, rules, prompt: { instructions } },
};
