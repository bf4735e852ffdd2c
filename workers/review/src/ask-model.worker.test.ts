import type { DiffFile } from '@weir/diff';
import { AppError } from '@weir/kernel';
import type { ModelAnswer, ModelPort, ModelRequest } from '@weir/ports';
import { verifies } from '@weir/requirements';
import type { Specialist } from '@weir/specialist-kit';
import { expect, test } from 'vitest';
import { askModel, type AskModelInput } from './index.ts';

const file = (path: string, lines = 1): DiffFile => ({
  oldPath: null,
  newPath: path,
  kind: 'added',
  oldMode: null,
  newMode: null,
  binary: false,
  submodule: false,
  oldNoEol: false,
  newNoEol: false,
  problem: null,
  hunks: [
    {
      oldStart: 0,
      oldLines: 0,
      newStart: 1,
      newLines: lines,
      lines: Array.from({ length: lines }, (_, at) => ({ kind: 'added', old: null, new: at + 1, text: `line ${at} of ${path}` })),
    },
  ],
});
const specialist = (key: string): Specialist => ({
  key,
  title: key,
  routingHint: key,
  review: { dimensions: [], appliesTo: () => true, rules: [], prompt: { instructions: `Judge ${key}.` } },
});
const answered = (text: string, over: Partial<ModelAnswer> = {}): ModelAnswer => ({
  text,
  finish: 'stop',
  model: 'm-1',
  inputTokens: 10,
  outputTokens: 2,
  ...over,
});
const found = (...paths: string[]) => JSON.stringify({ findings: paths.map(path => ({ path, line: 1, message: `in ${path}` })) });
const pathsIn = ({ user }: ModelRequest): string[] => [...user.matchAll(/^=== (\S+)/gm)].map(match => match[1] ?? '');

interface Fake extends ModelPort {
  readonly requests: ModelRequest[];
}
const modelOf = (reply: (request: ModelRequest, call: number) => ModelAnswer | Error | Promise<ModelAnswer>): Fake => {
  const requests: ModelRequest[] = [];
  const complete = async (request: ModelRequest): Promise<ModelAnswer> => {
    requests.push(request);
    const answer = await reply(request, requests.length);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { requests, complete };
};
const slept: number[] = [];
let fences = 0;
const ask = (model: ModelPort, files: readonly DiffFile[], over: Partial<AskModelInput> = {}) =>
  askModel({
    specialists: [specialist('correctness')],
    files,
    rules: [],
    model,
    modelName: 'asked-model',
    contextTokens: 128_000,
    maxOutputTokens: 1_000,
    maxCalls: 4,
    fence: () => `fence${String(fences++).padStart(8, '0')}`,
    sleep: async ms => void slept.push(ms),
    signal: new AbortController().signal,
    ...over,
  });
/** Small enough that each file needs a call of its own. */
const small = { contextTokens: 4_000, maxOutputTokens: 600 };
const three = [file('a.ts', 100), file('b.ts', 100), file('c.ts', 100)];

test(`${verifies('REV-16')} findings carry their source and their rule, and the files count as read`, async () => {
  const model = modelOf(request => answered(found(...pathsIn(request))));
  const review = await ask(model, [file('a.ts'), file('b.ts')]);
  expect(review.findings.map(({ finding, source }) => [finding.path, finding.rule, source])).toEqual([
    ['a.ts', 'correctness/general', 'correctness'],
    ['b.ts', 'correctness/general', 'correctness'],
  ]);
  expect(review.coverage.map(one => one.reading)).toEqual(['full', 'full']);
  expect(review.outcome).toEqual({
    state: 'ran',
    model: 'm-1',
    usage: { calls: 1, inputTokens: 10, outputTokens: 2 },
    failure: null,
    note: '1 model call, each answered whole.',
  });
  expect(model.requests[0]).toMatchObject({ maxOutputTokens: 1_000, answerSchema: { name: 'findings' } });
});

test(`${verifies('REV-16b', 'REV-15')} a large change takes several calls, each with a fence of its own and the same static part`, async () => {
  const model = modelOf(request => answered(found(...pathsIn(request))));
  const progress: string[] = [];
  const review = await ask(model, three, { ...small, onProgress: text => progress.push(text) });
  expect(model.requests.length).toBeGreaterThan(1);
  expect(new Set(model.requests.map(({ system }) => system)).size).toBe(1);
  expect(new Set(model.requests.map(({ user }) => /fence\d{8}/.exec(user)?.[0])).size).toBe(model.requests.length);
  expect(review.findings.map(({ finding }) => finding.path)).toEqual(['a.ts', 'b.ts', 'c.ts']);
  expect(review.outcome.usage).toEqual({ calls: model.requests.length, inputTokens: 10 * model.requests.length, outputTokens: 2 * model.requests.length });
  expect(progress).toHaveLength(model.requests.length);
});

test(`${verifies('REV-16b', 'PRO-2')} a call that fails costs its own files only`, async () => {
  const model = modelOf(request =>
    pathsIn(request).includes('b.ts') ? new AppError('MODEL_TIMEOUT', 'no byte in 60 s') : answered(found(...pathsIn(request))),
  );
  const review = await ask(model, three, small);
  expect(review.findings.map(({ finding }) => finding.path)).toEqual(['a.ts', 'c.ts']);
  expect(review.coverage.map(one => [one.path, one.reading])).toEqual([
    ['a.ts', 'full'],
    ['b.ts', 'skipped'],
    ['c.ts', 'full'],
  ]);
  expect(review.coverage[1]?.reason).toContain('MODEL_TIMEOUT');
  expect(review.outcome).toMatchObject({ state: 'truncated', usage: { inputTokens: 'unknown', outputTokens: 'unknown' } });
});

test(`${verifies('PRO-2')} when every call fails the outcome is failed and no file is read`, async () => {
  const review = await ask(
    modelOf(() => new AppError('MODEL_REJECTED', 'bad key.')),
    [file('a.ts')],
  );
  expect(review).toMatchObject({
    findings: [],
    coverage: [{ reading: 'skipped', byRule: false }],
    outcome: { state: 'failed', model: 'asked-model', usage: { calls: 1, inputTokens: 0 } },
  });
  expect(review.outcome.note).toBe('The model read nothing: a model call failed: MODEL_REJECTED: bad key.');
});

test(`${verifies('REV-16a')} an answer that is cut keeps its findings, is truncated and names the cap`, async () => {
  const review = await ask(
    modelOf(() => answered('{"findings":[{"path":"a.ts","line":1,"message":"m"},{"path":"a', { finish: 'length' })),
    [file('a.ts')],
  );
  expect(review.findings).toHaveLength(1);
  expect(review.coverage[0]).toMatchObject({ reading: 'partial', byRule: false });
  expect(review.outcome.state).toBe('truncated');
  expect(review.outcome.note).toContain('cap of 1000 output tokens');
});

for (const text of ['', 'LGTM', '{}', 'I cannot help with that.']) {
  test(`${verifies('REV-16a', 'PRO-2')} an answer without findings that is not whole counts as failed: ${JSON.stringify(text)}`, async () => {
    const review = await ask(
      modelOf(() => answered(text)),
      [file('a.ts')],
    );
    expect(review).toMatchObject({ findings: [], coverage: [{ reading: 'skipped' }], outcome: { state: 'failed' } });
  });
}

test(`${verifies('REV-20')} only what failed before the first byte is repeated, once, after the time that the endpoint names`, async () => {
  const attempts = async (error: Error, replies: number) => {
    slept.length = 0;
    const model = modelOf((_, call) => (call <= replies ? error : answered('{"findings":[]}')));
    const { outcome } = await ask(model, [file('a.ts')]);
    return { calls: model.requests.length, state: outcome.state, slept: [...slept] };
  };
  const limited = (seconds: number) => new AppError('MODEL_RATE_LIMITED', 'slow down', { retryAfterSeconds: seconds });
  expect(await attempts(new AppError('MODEL_UNREACHABLE', 'refused'), 1)).toEqual({ calls: 2, state: 'ran', slept: [1_000] });
  expect(await attempts(new AppError('MODEL_UNREACHABLE', 'refused'), 9)).toEqual({ calls: 2, state: 'failed', slept: [1_000] });
  expect(await attempts(limited(7), 1)).toEqual({ calls: 2, state: 'ran', slept: [7_000] });
  expect(await attempts(limited(31), 1)).toEqual({ calls: 1, state: 'failed', slept: [] });
  for (const code of ['MODEL_TIMEOUT', 'MODEL_GARBLED', 'MODEL_REJECTED', 'URL_REFUSED'] as const) {
    expect(await attempts(new AppError(code, 'no'), 1)).toEqual({ calls: 1, state: 'failed', slept: [] });
  }
  expect(await attempts(new TypeError('a bug'), 1)).toEqual({ calls: 1, state: 'failed', slept: [] });
});

test(`${verifies('PRO-2')} unknown usage stays unknown in the sum`, async () => {
  const model = modelOf((_, call) => answered('{"findings":[]}', call === 1 ? { inputTokens: 'unknown' } : {}));
  const { outcome } = await ask(model, three, small);
  expect(outcome.usage).toMatchObject({ inputTokens: 'unknown', outputTokens: 2 * model.requests.length });
});

test('an abort ends a call at once, even if the adapter does not listen', async () => {
  const controller = new AbortController();
  const asking = ask(
    modelOf(() => new Promise<ModelAnswer>(() => undefined)),
    [file('a.ts')],
    { signal: controller.signal },
  );
  controller.abort(new Error('stop it'));
  await expect(asking).rejects.toThrow('stop it');
  await expect(
    ask(
      modelOf(() => answered('')),
      [file('a.ts')],
      { signal: controller.signal },
    ),
  ).rejects.toThrow('stop it');
});

test('an abort ends the wait before the second try', async () => {
  const controller = new AbortController();
  const sleep = (): Promise<void> => {
    queueMicrotask(() => controller.abort(new Error('stop it')));
    return new Promise(() => undefined);
  };
  await expect(
    ask(
      modelOf(() => new AppError('MODEL_UNREACHABLE', 'x')),
      [file('a.ts')],
      { signal: controller.signal, sleep },
    ),
  ).rejects.toThrow('stop it');
});

test(`${verifies('PRO-2')} nothing to read needs no model; no room is a failure`, async () => {
  const model = modelOf(() => answered('{"findings":[]}'));
  expect((await ask(model, [{ ...file('a.png'), binary: true, hunks: [] }])).outcome.state).toBe('not_needed');
  const cramped = await ask(model, [file('a.ts')], { contextTokens: 1_200 });
  expect(cramped).toMatchObject({ coverage: [{ reading: 'skipped', byRule: false }], outcome: { state: 'failed' } });
  expect(model.requests).toHaveLength(0);
});

test(`${verifies('REV-14')} rules that are cut are named in the notes`, async () => {
  const model = modelOf(() => answered('{"findings":[]}'));
  const { notes } = await ask(model, [file('a.ts')], { rules: [{ path: 'AGENTS.md', text: 'never do this\n'.repeat(5_000) }] });
  expect(notes).toEqual([expect.stringMatching(/^rules file AGENTS.md: \d+ of 5001 lines fit into/)]);
  expect(model.requests[0]?.user).toContain('[weir: cut here');
});

test(`${verifies('REV-20e')} a path that is not UTF-8 comes back as it is in the change`, async () => {
  const model = modelOf(() => answered(found('caf⟨byte E9⟩.ts')));
  const review = await ask(model, [{ ...file('x'), newPath: 'caf\udce9.ts' }]);
  expect(review.findings[0]?.finding.path).toBe('caf\udce9.ts');
  expect(model.requests[0]?.user).toContain('=== caf⟨byte E9⟩.ts (added)');
  expect(model.requests[0]?.user).not.toContain('\udce9');
});

test(`${verifies('REV-16b')} several specialists share the calls, and a file counts as the one that read the least says`, async () => {
  const model = modelOf(request => (request.system.startsWith('Judge second') ? new AppError('MODEL_TIMEOUT', 'late') : answered(found('a.ts'))));
  const review = await ask(model, [file('a.ts')], { specialists: [specialist('first'), specialist('second')], maxCalls: 2 });
  expect(model.requests).toHaveLength(2);
  expect(review.findings.map(({ finding, source }) => [finding.rule, source])).toEqual([['first/general', 'first']]);
  expect(review.coverage[0]?.reading).toBe('skipped');
  const one = await ask(model, [file('a.ts')], { specialists: [specialist('first'), specialist('second')], maxCalls: 1 });
  expect(one.coverage[0]).toMatchObject({ reading: 'skipped', byRule: false });
});
