/** Posts a review, answers in its threads, resolves them, and says on the change and its commit how it went. */
import assert from 'node:assert/strict';
import type { Thread } from '@weir/contract';
import { REPOSITORY, type Scene } from './scene.ts';
import { type Step, verbStep } from './step.ts';

const repository = REPOSITORY;

/** On a line that went, on several lines, and in a file that got another name. */
const FINDINGS = [
  place('src/app.ts', { side: 'old', line: 20, oldLine: 20, newLine: null, body: 'Why does this go?' }),
  place('src/app.ts', { side: 'new', line: 14, startLine: 12, oldLine: null, newLine: 14, body: 'These three belong together.' }),
  place('src/new-name.ts', { side: 'new', line: 10, oldLine: null, newLine: 10, previousPath: 'src/old-name.ts', body: 'And the name?' }),
];

interface Placed {
  readonly side: 'old' | 'new';
  readonly line: number;
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly startLine?: number;
  readonly previousPath?: string;
  readonly body: string;
}

function place(path: string, placed: Placed) {
  return { path, previousPath: path, startLine: null, ...placed };
}

const INSIDE = place('src/app.ts', { side: 'new', line: 5, oldLine: null, newLine: 5, body: 'On a line of the diff.' });
const OUTSIDE = place('src/app.ts', { side: 'new', line: 900, oldLine: null, newLine: 900, body: 'On no line at all.' });
/** These look whether the line is there. The others take a comment anywhere, and show it nowhere. */
const LOOKS_AT_LINES: readonly Scene['kind'][] = ['github', 'gitlab'];

const threadOn = (threads: readonly Thread[], body: string): Thread => {
  const found = threads.find(({ comments }) => comments[0]?.body === body);
  assert.ok(found, `no thread starts with "${body}"`);
  return found;
};
const FIRST = FINDINGS[1]?.body ?? '';
const first = ({ found }: Scene): Thread => threadOn(found.threads, FIRST);
const placeOf = ({ ref }: Thread): string => `${ref.path}:${ref.side === 'old' ? '-' : ''}${ref.line}`;

const threads = (about: string, check: (scene: Scene) => string): Step =>
  verbStep('thread.list', {
    about,
    args: ({ change }) => ({ repository, change }),
    show: (value, scene) => {
      scene.found.threads = value.threads;
      return check(scene);
    },
  });

const status = (about: string): Step =>
  verbStep('status.post', {
    about,
    args: ({ head }) => ({ repository, commit: head, context: 'weir/review', state: 'success', description: 'Three findings' }),
    show: ({ context, state }) => {
      assert.deepEqual([context, state], ['weir/review', 'success']);
      return `${context} is ${state}`;
    },
  });

export const REVIEW_STEPS: readonly Step[] = [
  verbStep('review.submit', {
    about: 'three comments',
    args: ({ change, head }) => ({ repository, change, commit: head, body: 'Three things.', comments: FINDINGS }),
    show: ({ id, comments, failures }) => {
      assert.deepEqual(failures, []);
      assert.deepEqual(comments.map(({ body }) => body).sort(), FINDINGS.map(({ body }) => body).sort());
      return `review ${id ?? '(none)'}, comments ${comments.map(comment => comment.id).join(', ')}`;
    },
  }),
  threads('as they were placed', ({ found }) => {
    const places = FINDINGS.map(({ body }) => placeOf(threadOn(found.threads, body)));
    assert.deepEqual(places, ['src/app.ts:-20', 'src/app.ts:14', 'src/new-name.ts:10']);
    return places.join(', ');
  }),
  verbStep('review.submit', {
    about: 'one line is in no diff',
    args: ({ change, head }) => ({ repository, change, commit: head, body: 'Two more.', comments: [INSIDE, OUTSIDE] }),
    show: ({ comments, failures }, { kind }) => {
      assert.deepEqual(
        failures.map(({ index }) => index),
        LOOKS_AT_LINES.includes(kind) ? [1] : [],
      );
      assert.ok(comments.some(({ body }) => body === INSIDE.body));
      return failures.length === 0
        ? 'taken as it is: this forge looks at no line'
        : failures.map(({ index, reason }) => `comment ${index}: ${reason}`).join('; ');
    },
  }),
  verbStep('review.comment.create', {
    args: ({ change, head }) => ({ repository, change, commit: head, ...INSIDE, body: 'One more here.' }),
    show: ({ id, body, path }) => {
      assert.deepEqual([body, path], ['One more here.', 'src/app.ts']);
      return `comment ${id}`;
    },
  }),
  verbStep('thread.reply', {
    args: scene => ({ repository, change: scene.change, thread: first(scene).ref, body: 'They do.' }),
    show: ({ id, body }) => {
      assert.equal(body, 'They do.');
      return `comment ${id}`;
    },
  }),
  verbStep('thread.resolve', {
    args: scene => ({ repository, change: scene.change, thread: first(scene).ref }),
    show: ({ resolved }) => {
      assert.equal(resolved, true);
      return 'resolved';
    },
  }),
  threads('after the reply', scene => {
    const thread = first(scene);
    assert.deepEqual(
      thread.comments.map(({ body }) => body),
      [FIRST, 'They do.'],
    );
    assert.equal(thread.resolved, scene.descriptor.unsupported['thread.resolve'] === undefined);
    return `${thread.comments.length} comments, ${thread.resolved === true ? 'resolved' : 'open'}`;
  }),
  verbStep('thread.unresolve', {
    args: scene => ({ repository, change: scene.change, thread: first(scene).ref }),
    show: ({ resolved }) => {
      assert.equal(resolved, false);
      return 'open again';
    },
  }),
  verbStep('comment.create', {
    args: ({ change }) => ({ repository, change, body: 'Under review.' }),
    show: ({ id, body }, { found }) => {
      assert.equal(body, 'Under review.');
      found.comment = id;
      return `comment ${id}`;
    },
  }),
  verbStep('comment.update', {
    args: ({ change, found }) => ({ repository, change, comment: found.comment, body: 'Reviewed.' }),
    show: ({ id, body }) => {
      assert.equal(body, 'Reviewed.');
      return `comment ${id}`;
    },
  }),
  verbStep('comment.list', {
    args: ({ change }) => ({ repository, change }),
    show: ({ comments }) => {
      const bodies = comments.map(({ body }) => body);
      assert.ok(bodies.includes('Reviewed.'), bodies.join(', '));
      assert.ok(!bodies.includes(FIRST), 'comments of threads are in the list');
      return `${comments.length} in the conversation`;
    },
  }),
  verbStep('reaction.add', {
    about: 'to the change',
    args: ({ change }) => ({ repository, change, target: 'change', reaction: 'eyes' }),
    show: ({ reaction }) => reaction,
  }),
  verbStep('reaction.add', {
    about: 'to a comment',
    args: ({ change, found }) => ({ repository, change, target: 'comment', id: found.comment, reaction: '+1' }),
    show: ({ reaction }) => reaction,
  }),
  verbStep('reaction.add', {
    about: 'in a thread',
    args: scene => ({ repository, change: scene.change, target: 'thread', id: first(scene).ref.root, reaction: 'heart' }),
    show: ({ reaction }) => reaction,
  }),
  status('a new one'),
  status('the same again'),
  verbStep('check.upsert', {
    about: 'a new one',
    as: 'app',
    args: ({ head }) => ({ repository, commit: head, name: 'weir', status: 'in_progress', title: 'Reading', summary: 'Reads.' }),
    show: ({ id }, { found }) => {
      found.check = id;
      return `check ${id}`;
    },
  }),
  verbStep('check.upsert', {
    about: 'its end',
    as: 'app',
    args: ({ head, found }) => ({
      ...{ repository, commit: head, name: 'weir', id: found.check || null, status: 'completed', conclusion: 'failure' },
      ...{ title: 'Three findings', summary: 'See the review.' },
      annotations: [{ path: 'src/app.ts', startLine: 12, endLine: 14, level: 'warning', title: 'Together', message: FIRST }],
    }),
    show: ({ id }, { found }) => {
      assert.equal(id, found.check);
      return `check ${id}`;
    },
  }),
  verbStep('checks.list', {
    args: ({ head }) => ({ repository, commit: head }),
    show: ({ checks }) => {
      assert.ok(
        checks.some(({ name, state }) => name === 'weir/review' && state === 'success'),
        JSON.stringify(checks),
      );
      return checks.map(({ name, state }) => `${name} ${state}`).join(', ');
    },
  }),
];
