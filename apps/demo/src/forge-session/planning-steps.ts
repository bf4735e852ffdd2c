/** Labels, issues and milestones: what an automation works with. */
import assert from 'node:assert/strict';
import type { Issue } from '@weir/contract';
import { REPOSITORY } from './scene.ts';
import { type Step, verbStep } from './step.ts';

const repository = REPOSITORY;
const LABEL = { repository, name: 'weir/reviewed', colour: '00ff00', description: 'Weir has seen it' };

const labelStep = (about: string): Step =>
  verbStep('label.upsert', {
    about,
    args: () => LABEL,
    show: ({ name }) => {
      assert.equal(name, LABEL.name);
      return name;
    },
  });

const issueLine = ({ number, title, state, labels }: Issue): string => `${number} "${title}", ${state}, labels ${labels.join(' ') || 'none'}`;

export const PLANNING_STEPS: readonly Step[] = [
  labelStep('a new one'),
  labelStep('the same again'),
  verbStep('label.add', {
    args: ({ change }) => ({ repository, on: 'change', number: change, labels: [LABEL.name] }),
    show: ({ labels }) => {
      assert.deepEqual(labels, [LABEL.name]);
      return labels.join(', ');
    },
  }),
  verbStep('label.remove', {
    args: ({ change }) => ({ repository, on: 'change', number: change, label: LABEL.name }),
    show: ({ removed }) => {
      assert.equal(removed, LABEL.name);
      return removed;
    },
  }),
  verbStep('issue.create', {
    args: () => ({ repository, title: 'An issue', body: 'What is to be done.', labels: [LABEL.name] }),
    show: (value, { found }) => {
      assert.deepEqual([value.title, value.labels], ['An issue', [LABEL.name]]);
      found.issue = value.number;
      return issueLine(value);
    },
  }),
  verbStep('issue.get', {
    args: ({ found }) => ({ repository, issue: found.issue || 1 }),
    show: value => {
      assert.equal(value.body, 'What is to be done.');
      return issueLine(value);
    },
  }),
  verbStep('issue.list', {
    args: () => ({ repository, labels: [LABEL.name] }),
    show: ({ issues }, { found }) => {
      assert.deepEqual(
        issues.map(({ number }) => number),
        [found.issue],
      );
      return `${issues.length} open with the label`;
    },
  }),
  verbStep('issue.comment', {
    args: ({ found }) => ({ repository, issue: found.issue || 1, body: 'It is begun.' }),
    show: ({ id, body }) => {
      assert.equal(body, 'It is begun.');
      return `comment ${id}`;
    },
  }),
  verbStep('issue.update', {
    args: ({ found }) => ({ repository, issue: found.issue || 1, title: 'An issue, done', state: 'closed' }),
    show: value => {
      assert.deepEqual([value.title, value.state], ['An issue, done', 'closed']);
      return issueLine(value);
    },
  }),
  verbStep('issue.events', {
    about: 'of the issue',
    args: ({ found }) => ({ repository, number: found.issue || 1 }),
    show: ({ events }) => {
      const kinds = events.map(({ kind }) => kind);
      assert.ok(kinds.includes('labelled') && kinds.includes('closed'), kinds.join(', '));
      return kinds.join(', ');
    },
  }),
  verbStep('issue.events', {
    about: 'of the change',
    args: ({ change }) => ({ repository, on: 'change', number: change }),
    show: ({ events }) => {
      const labels = events.filter(({ label }) => label === LABEL.name).map(({ kind, actor }) => `${kind} by ${actor?.login}`);
      assert.deepEqual(labels, ['labelled by weir-bot', 'unlabelled by weir-bot']);
      return labels.join(', ');
    },
  }),
  verbStep('milestone.create', {
    args: () => ({ repository, title: 'Next', description: 'What comes next.', dueOn: '2030-01-31' }),
    show: ({ id, title, dueOn }) => {
      assert.deepEqual([title, dueOn], ['Next', '2030-01-31']);
      return `milestone ${id}`;
    },
  }),
  verbStep('milestone.list', {
    args: () => ({ repository }),
    show: ({ milestones }) => {
      assert.deepEqual(
        milestones.map(({ title }) => title),
        ['Next'],
      );
      return 'Next';
    },
  }),
];
