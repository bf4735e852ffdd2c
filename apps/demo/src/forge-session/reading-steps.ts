/** Reads what a review starts from: who asks, the repository, the change, its files and its diff. */
import assert from 'node:assert/strict';
import { FULL_NAME, REPOSITORY, REVIEWER } from './scene.ts';
import { type Step, verbStep } from './step.ts';

const repository = REPOSITORY;

export const READING_STEPS: readonly Step[] = [
  verbStep('account.whoami', {
    args: () => ({}),
    show: (value, { found }) => {
      assert.equal(value.login, REVIEWER);
      found.me = value;
      return `${value.login}, id ${value.id}`;
    },
  }),
  verbStep('account.scopes', { args: () => ({}), show: ({ scopes }) => (scopes === null ? 'the token has no scopes to tell' : scopes.join(', ')) }),
  verbStep('account.permission', {
    args: ({ found }) => ({ repository, user: { id: found.me.id, login: found.me.login } }),
    show: ({ permission }, { kind }) => {
      // GitLab's roles stop at maintainer where a project is no group's: the session's bot is made an owner of it.
      assert.equal(permission, 'admin', kind);
      return permission;
    },
  }),
  verbStep('user.get', {
    args: () => ({ login: 'alice' }),
    show: value => {
      assert.equal(value.login, 'alice');
      return `alice is ${value.id}`;
    },
  }),
  verbStep('repo.get', {
    args: () => ({ repository }),
    show: value => {
      assert.deepEqual([value.owner, value.name, value.defaultBranch], ['acme', 'shop', 'main']);
      return `${FULL_NAME}, id ${value.id}, ${value.private ? 'private' : 'public'}`;
    },
  }),
  verbStep('change.get', {
    args: ({ change }) => ({ repository, change }),
    show: (value, { head }) => {
      assert.deepEqual([value.title, value.body, value.state, value.draft], ['A change', 'Why it is made.', 'open', false]);
      assert.deepEqual([value.head.branch, value.head.commit, value.base.branch], ['feature', head, 'main']);
      return `${value.number} "${value.title}" by ${value.author.login}, ${value.head.branch} at ${head.slice(0, 7)} into ${value.base.branch}`;
    },
  }),
  verbStep('change.list', {
    args: () => ({ repository, head: 'feature' }),
    show: ({ changes }, { change }) => {
      assert.deepEqual(
        changes.map(({ number }) => number),
        [change],
      );
      return `${changes.length} open`;
    },
  }),
  verbStep('change.files', {
    args: ({ change }) => ({ repository, change }),
    show: ({ files, complete }) => {
      assert.equal(complete, true);
      const named = files.map(({ path, previousPath, kind }) => `${kind} ${previousPath ?? ''}>${path}`).sort();
      assert.deepEqual(named, ['modified >src/app.ts', 'renamed src/old-name.ts>src/new-name.ts']);
      return named.join(', ');
    },
  }),
  verbStep('change.diff', {
    args: ({ change }) => ({ repository, change }),
    show: ({ diff }) => {
      assert.match(diff, /^\+line 12 changed$/m);
      assert.match(diff, /^rename to src\/new-name\.ts$/m);
      return `${diff.split('\n').length} lines`;
    },
  }),
  verbStep('change.compare', {
    args: ({ base, head }) => ({ repository, base, head }),
    show: ({ diff, mergeBase }, { base }) => {
      assert.match(diff, /^\+line 12 changed$/m);
      assert.match(diff, /^rename to src\/new-name\.ts$/m);
      assert.ok(mergeBase === null || mergeBase === base, `the merge base is ${mergeBase}`);
      return `${diff.split('\n').length} lines, merge base ${mergeBase?.slice(0, 7) ?? 'not told'}`;
    },
  }),
  verbStep('file.get', {
    args: ({ head }) => ({ repository, path: 'src/new-name.ts', ref: head }),
    show: ({ text }) => {
      assert.match(text, /^line 10 changed$/m);
      return `${text.length} characters`;
    },
  }),
];
