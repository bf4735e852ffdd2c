/** Writes as an agent does: a branch, a commit, a change of its own, its protection, its merge. */
import assert from 'node:assert/strict';
import type { Change } from '@weir/contract';
import { FULL_NAME, REPOSITORY, REVIEWER } from './scene.ts';
import { sceneStep, type Step, verbStep } from './step.ts';

const repository = REPOSITORY;
const BRANCH = 'weir/fix-1';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const changeLine = ({ number, title, state, draft }: Change): string => `${number} "${title}", ${state}${draft ? ', a draft' : ''}`;

export const WRITING_STEPS: readonly Step[] = [
  verbStep('branch.create', {
    args: ({ base }) => ({ repository, branch: BRANCH, commit: base }),
    show: ({ branch, commit }, { base }) => {
      assert.deepEqual([branch, commit], [BRANCH, base]);
      return `${branch} at ${commit.slice(0, 7)}`;
    },
  }),
  verbStep('commit.create', {
    args: ({ base }) => ({
      ...{ repository, branch: BRANCH, parent: base, message: 'Three files at once' },
      files: [
        { path: 'src/app.ts', action: 'update', content: base64('all new\n') },
        { path: 'src/old-name.ts', action: 'delete', content: null },
        { path: 'a folder/new.ts', action: 'create', content: base64('new\n') },
      ],
    }),
    show: ({ commit }, { base }) => {
      assert.notEqual(commit, base);
      return commit.slice(0, 7);
    },
  }),
  sceneStep('the commit as git has it', async ({ forge, base, descriptor }) => {
    if (descriptor.unsupported['commit.create'] !== undefined) return 'none was made';
    const { git } = forge.seed.find(FULL_NAME);
    const files = await git.files(base, `refs/heads/${BRANCH}`);
    assert.deepEqual(files.map(({ path, status }) => `${status} ${path}`).sort(), ['added a folder/new.ts', 'modified src/app.ts', 'removed src/old-name.ts']);
    return 'three files, one commit';
  }),
  verbStep('change.create', {
    args: () => ({ repository, title: 'A second change', body: 'By Weir.', head: 'second', base: 'main', draft: true }),
    show: (value, { found }) => {
      assert.deepEqual([value.draft, value.state, value.author.login], [true, 'open', REVIEWER]);
      found.made = value.number;
      return changeLine(value);
    },
  }),
  verbStep('change.ready', {
    args: ({ found }) => ({ repository, change: found.made, ready: true }),
    show: ({ draft }) => {
      assert.equal(draft, false);
      return 'no draft any more';
    },
  }),
  verbStep('change.ready', {
    about: 'a draft again',
    args: ({ found }) => ({ repository, change: found.made, ready: false }),
    show: ({ draft }) => {
      assert.equal(draft, true);
      return 'a draft';
    },
  }),
  verbStep('change.ready', {
    about: 'ready for good',
    args: ({ found }) => ({ repository, change: found.made, ready: true }),
    show: ({ draft }) => {
      assert.equal(draft, false);
      return 'no draft any more';
    },
  }),
  verbStep('change.update', {
    args: ({ found }) => ({ repository, change: found.made, title: 'A better title', body: 'Said better.' }),
    show: value => {
      assert.deepEqual([value.title, value.body], ['A better title', 'Said better.']);
      return changeLine(value);
    },
  }),
  verbStep('review.submit', {
    about: 'an approval',
    args: ({ change, head }) => ({ repository, change, commit: head, body: 'Good.', event: 'approve', comments: [] }),
    show: ({ failures }) => {
      assert.deepEqual(failures, []);
      return 'approved';
    },
  }),
  verbStep('change.approvals', {
    args: ({ change }) => ({ repository, change }),
    show: ({ approvals }) => {
      assert.ok(
        approvals.some(({ actor, state }) => actor.login === REVIEWER && state === 'approved'),
        JSON.stringify(approvals),
      );
      return approvals.map(({ actor, state }) => `${actor.login} ${state}`).join(', ');
    },
  }),
  verbStep('protection.get', {
    about: 'before',
    args: () => ({ repository, branch: 'main' }),
    show: value => {
      assert.equal(value.protected, false);
      return 'not protected';
    },
  }),
  verbStep('protection.reconcile', {
    about: 'makes it',
    args: () => ({ repository, branch: 'main', requiredApprovals: 1, requiredChecks: ['weir/review'] }),
    show: value => {
      assert.equal(value.protected, true);
      return JSON.stringify(value);
    },
  }),
  verbStep('protection.reconcile', {
    about: 'changes it',
    args: () => ({ repository, branch: 'main', requiredApprovals: 2, requiredChecks: ['weir/review', 'test'] }),
    show: value => {
      assert.ok(value.requiredApprovals === null || value.requiredApprovals === 2, JSON.stringify(value));
      assert.ok(value.requiredChecks === null || value.requiredChecks.length === 2, JSON.stringify(value));
      return JSON.stringify(value);
    },
  }),
  verbStep('protection.get', {
    about: 'after',
    args: () => ({ repository, branch: 'main' }),
    show: value => {
      assert.equal(value.protected, true);
      return JSON.stringify(value);
    },
  }),
  verbStep('change.automerge', {
    about: 'on',
    args: ({ change, head }) => ({ repository, change, head, method: 'merge', enabled: true }),
    show: ({ enabled }) => {
      assert.equal(enabled, true);
      return 'merges when its checks have passed';
    },
  }),
  verbStep('change.automerge', {
    about: 'off',
    args: ({ change, head }) => ({ repository, change, head, method: 'merge', enabled: false }),
    show: ({ enabled }) => {
      assert.equal(enabled, false);
      return 'waits for a person';
    },
  }),
  verbStep('change.merge', {
    args: ({ forge, found }) => ({ repository, change: found.made, head: forge.seed.changeOf(FULL_NAME, found.made).headSha, method: 'squash' }),
    show: ({ merged, pending, commit }) => {
      assert.deepEqual([merged, pending], [true, false]);
      return `merged as ${commit?.slice(0, 7) ?? 'a commit that is not told'}`;
    },
  }),
  verbStep('change.list', {
    about: 'what is merged',
    args: () => ({ repository, state: 'merged' }),
    show: ({ changes }, { found }) => {
      assert.deepEqual(
        changes.map(({ number, state }) => `${number} ${state}`),
        [`${found.made} merged`],
      );
      return changes.map(changeLine).join(', ');
    },
  }),
];
