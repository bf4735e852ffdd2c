import type { ReviewResult } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { ForgePort } from '@weir/ports';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { type GenerateParts, generateReview } from './generate-review.worker.ts';
import { found, reported } from './posting.fixture.ts';
import { readRoundContent, writeRoundContent } from './round-content.ts';
import {
  answered,
  changeOf,
  diffOf,
  findings,
  first,
  limits,
  memoryForge,
  memoryModel,
  type MemoryModel,
  notFound,
  reviewId,
  type RoundWorld,
  roundWorld,
  second,
  settingsOf,
  specialist,
  start,
} from './round-world.fixture.ts';

const signal = new AbortController().signal;
const nothing = answered({ findings: [] });
const open = {
  'change.get': () => changeOf(),
  'change.diff': () => ({ diff: diffOf('src/a.ts', 'two', 'three') }),
  'file.get': () => notFound(),
};
const withModel = (model: MemoryModel): Pick<GenerateParts, 'modelFor'> => ({ modelFor: async () => ({ name: 'm', port: model, limits }) });

interface Generated {
  readonly world: RoundWorld;
  run(abort?: AbortSignal): Promise<readonly ReviewResult[]>;
}
function firstRound(port: ForgePort, more: Partial<GenerateParts>, context: string | null = null): Generated {
  const world = roundWorld(port, more);
  world.request(1, first, null);
  return { world, run: (abort = signal) => generateReview(world.parts)(world.work('GenerateReview', { round: 1, head: first, attempt: 1, context }), abort) };
}
const contentOf = async (world: RoundWorld, round = 1) => readRoundContent(world.parts.artifacts, `${reviewId}/${round}/1/report`);

test(`${verifies('REV-12', 'REV-16', 'REV-39')} a round brings coordinates and counts; the texts are in the artifact`, async () => {
  const model = memoryModel([answered(findings({ path: 'src/a.ts', line: 2, title: 'Two is wrong' }))]);
  const { world, run } = firstRound(memoryForge(open), withModel(model));
  const [result] = await run();
  expect(result).toMatchObject({
    ...{ type: 'ReviewGenerated', reviewId, round: 1, head: first, attempt: 1, complete: true, verdicts: [], tracked: 0 },
    reading: { full: 1, partial: 0, skipped: 0, byRule: 0 },
    findings: [{ id: '1a', path: 'src/a.ts', line: 2, severity: 'major', rule: 'correctness/general' }],
    content: `${reviewId}/1/1/report`,
  });
  expect(JSON.stringify(result)).not.toContain('told at length');
  expect((await contentOf(world))?.report.findings[0]?.message).toContain('told at length');
  expect(world.effects).toEqual(['generate.ask', 'generate.keep', 'generate.store']);
});

test(`${verifies('REV-12', 'REV-20')} a repeat of the same attempt pays nothing again; the next attempt asks anew`, async () => {
  const model = memoryModel([answered(findings({ path: 'src/a.ts', line: 2, title: 'Two is wrong' })), nothing]);
  let dies = true;
  const { world, run } = firstRound(memoryForge(open), {
    ...withModel(model),
    effect: async (name, work) => {
      const done = await work();
      if (name === 'generate.keep' && dies) throw new Error('killed');
      return done;
    },
  });
  await expect(run()).rejects.toThrow('killed');
  dies = false;
  const [result] = await run();
  expect(result).toMatchObject({ findings: [{ line: 2 }] });
  expect(model.requests).toHaveLength(1);
  expect((await contentOf(world))?.report.model.usage).toEqual({ calls: 1, inputTokens: 10, outputTokens: 2 });
  world.dispatch({
    type: 'RoundRetried',
    reviewId,
    at: '2026-01-31T08:00:01.000Z',
    round: 1,
    head: first,
    attempt: 2,
    failure: 'FORGE_UNAVAILABLE',
    sentence: 'x',
    delaySeconds: 0,
  });
  await generateReview(world.parts)(world.work('GenerateReview', { round: 1, head: first, attempt: 2, context: null }), signal);
  expect(model.requests).toHaveLength(2);
});

test(`${verifies('REV-6')} the head is read again before the paid call: one that has moved costs nothing`, async () => {
  const model = memoryModel([nothing]);
  let reads = 0;
  const moved = { branch: 'ledger', commit: second, repository: null };
  const port = memoryForge({ ...open, 'change.get': () => (++reads === 1 ? changeOf() : changeOf({ head: moved })) });
  expect(await firstRound(port, withModel(model)).run()).toEqual([expect.objectContaining({ type: 'HeadMoved', current: second })]);
  expect(model.requests).toHaveLength(0);
});

test(`${verifies('REV-7')} a change that is closed before the paid call costs nothing`, async () => {
  const model = memoryModel([nothing]);
  let reads = 0;
  const port = memoryForge({ ...open, 'change.get': () => changeOf({ state: ++reads === 1 ? 'open' : 'merged' }) });
  expect(await firstRound(port, withModel(model)).run()).toMatchObject([{ type: 'ChangeEnded', change: { state: 'merged' } }]);
  expect(model.requests).toHaveLength(0);
});

test(`${verifies('REV-7')} a cancel aborts the model call in flight`, async () => {
  const controller = new AbortController();
  const port = { requests: [], complete: () => (controller.abort('cancelled'), new Promise<never>(() => undefined)) };
  await expect(firstRound(memoryForge(open), withModel(port)).run(controller.signal)).rejects.toBe('cancelled');
});

test.each([
  ['CAP_REACHED', 'cap_reached'],
  ['MODEL_UNPRICED', 'model_not_priceable'],
  ['CREDENTIALS_EXHAUSTED', 'credentials_exhausted'],
] as const)(`${verifies('REV-30', 'REV-31')} %s refuses the round with the measurement`, async (code, refused) => {
  const model = memoryModel([new AppError(code, '12 calls in 24 h')]);
  expect(await firstRound(memoryForge(open), withModel(model)).run()).toEqual([
    expect.objectContaining({ type: 'WorkRefused', code: refused, measurement: '12 calls in 24 h' }),
  ]);
  const atOnce = async (): Promise<never> => Promise.reject(new AppError(code, 'none left'));
  expect(await firstRound(memoryForge(open), { modelFor: atOnce }).run()).toEqual([expect.objectContaining({ type: 'WorkRefused', code: refused })]);
});

test(`${verifies('REV-31')} without a model a round is refused, unless the chosen specialists need none`, async () => {
  expect(await firstRound(memoryForge(open), {}).run()).toEqual([expect.objectContaining({ type: 'WorkRefused', code: 'no_default_model' })]);
  const refusing = async () => ({ refused: 'not_entitled', measurement: '' }) as const;
  expect(await firstRound(memoryForge(open), { modelFor: refusing }).run()).toEqual([expect.objectContaining({ code: 'not_entitled' })]);
  const check = specialist('leftovers', { check: async () => ({ findings: [], partial: [] }) });
  const settingsFor = async () => settingsOf({ specialists: [check] });
  expect(await firstRound(memoryForge(open), { settingsFor }).run()).toEqual([expect.objectContaining({ type: 'ReviewGenerated', complete: true })]);
});

test(`${verifies('REV-20', 'REV-16a')} a model that cannot be reached is tried again by the pipeline; garbage is no clean review, and not asked again`, async () => {
  const gone = memoryModel([new AppError('MODEL_TIMEOUT', 'no byte in 60 s')]);
  expect(await firstRound(memoryForge(open), withModel(gone)).run()).toEqual([
    expect.objectContaining({ type: 'WorkFailed', failure: 'MODEL_TIMEOUT', retry: 'later' }),
  ]);
  const garbage = memoryModel([answered('LGTM')]);
  const [result] = await firstRound(memoryForge(open), withModel(garbage)).run();
  expect(result).toMatchObject({ type: 'ReviewGenerated', complete: false, reading: { full: 0, byRule: 0 } });
  expect(garbage.requests).toHaveLength(1);
});

test(`${verifies('REV-20c', 'REV-36')} rules come from the target branch, the context from its artifact, both fenced`, async () => {
  const model = memoryModel([nothing]);
  const asked: string[] = [];
  const port = memoryForge({
    ...open,
    'file.get': ({ path, ref }) => (
      asked.push(`${ref.slice(0, 4)}:${path}`), path === '.weir/rules.md' && ref === 'main' ? { text: 'Always test.' } : notFound()
    ),
  });
  const { world, run } = firstRound(port, withModel(model), 'context-1');
  world.artifacts.set('context-1', { id: 'context-1', reviewId, kind: 'context', text: 'Why it is needed', expiresAt: start });
  await run();
  expect(model.requests[0]?.user).toMatch(/<<<DATA rules fence0123456789>>>\n--- \.weir\/rules\.md\nAlways test\.\n<<<END/);
  expect(model.requests[0]?.user).toMatch(/<<<DATA context fence0123456789>>>\nWhy it is needed\n<<<END/);
  expect(asked).toContain('main:.weir/rules.md');
  const { hash } = world.parts;
  expect((await contentOf(world))?.made).toEqual({
    prompts: [{ specialist: 'correctness', digest: expect.stringMatching(/./) }],
    rules: [{ path: '.weir/rules.md', digest: hash('Always test.') }],
  });
  expect(asked.some(place => place.startsWith('aaaa'))).toBe(false);
});

test(`${verifies('REV-14', 'REV-37')} what is missing, expired or refused is named in the notes`, async () => {
  const settingsFor = async () => settingsOf({ refused: ['.weir/config.yaml: model.name is the operator’s.'] });
  const { world, run } = firstRound(memoryForge(open), { ...withModel(memoryModel([nothing])), settingsFor }, 'gone');
  world.dispatch({
    type: 'ContextRecorded',
    reviewId,
    at: '2026-01-31T08:00:01.000Z',
    round: 1,
    head: first,
    attempt: 1,
    context: null,
    missing: [{ source: 'issue #5', reason: 'late' }],
  });
  await run();
  expect((await contentOf(world))?.report.notes).toEqual([
    'Context is missing: issue #5: late.',
    '.weir/config.yaml: model.name is the operator’s.',
    'The gathered context has expired; the model has not seen it.',
  ]);
});

test(`${verifies('REV-20d')} a change is left out by its labels, and generated files by .gitattributes of the target branch`, async () => {
  const model = memoryModel([nothing]);
  const labelled = memoryForge({ ...open, 'change.get': () => changeOf({ labels: ['no-review'] }) });
  const settingsFor = async () => settingsOf({ ignore: { ...settingsOf().ignore, labels: ['no-*'] } });
  const { world, run } = firstRound(labelled, { ...withModel(model), settingsFor });
  expect((await run())[0]).toMatchObject({ reading: { full: 0, byRule: 1 } });
  expect((await contentOf(world))?.report.notes[0]).toBe('The change is not reviewed: a label of it matches review.ignoreLabels.');
  const attributes = memoryForge({
    ...open,
    'file.get': ({ path, ref }) => (path === '.gitattributes' && ref === 'main' ? { text: 'src/** linguist-generated\n' } : notFound()),
  });
  expect((await firstRound(attributes, withModel(model)).run())[0]).toMatchObject({ reading: { full: 0, byRule: 1 } });
  expect(model.requests).toHaveLength(0);
});

test(`${verifies('REV-14', 'REV-16b')} lines that the forge leaves out, or hides as binary, are never called read`, async () => {
  const model = memoryModel([nothing]);
  const file = { previousPath: null, additions: 1, deletions: 0, kind: 'modified' } as const;
  const large = memoryForge({
    ...open,
    'change.diff': () => {
      throw new AppError('FORGE_BOUND_EXCEEDED', 'too large');
    },
    'change.files': () => ({
      complete: false,
      files: [
        { ...file, path: 'a.ts', patch: '@@ -1 +1,2 @@\n one\n+two' },
        { ...file, path: 'b.ts', patch: null },
      ],
    }),
  });
  const { world, run } = firstRound(large, withModel(model));
  expect((await run())[0]).toMatchObject({ complete: false, reading: { full: 1, skipped: 1 } });
  expect((await contentOf(world))?.report.notes).toContain('The forge lists only the first 2 files of the change; the rest was not read.');
  expect((await contentOf(world))?.report.coverage[1]).toMatchObject({ path: 'b.ts', reason: expect.stringContaining('the forge gives no lines of it') });
  const hidden = memoryForge({
    ...open,
    'change.diff': () => ({ diff: `${diffOf('a.ts', 'two')}diff --git a/pay.ts b/pay.ts\nindex 1..2 100644\nBinary files a/pay.ts and b/pay.ts differ\n` }),
    'file.get': ({ path }) => (path === 'pay.ts' ? { text: 'steal()' } : notFound()),
  });
  expect((await firstRound(hidden, withModel(model)).run())[0]).toMatchObject({ complete: false, reading: { full: 1, skipped: 1, byRule: 0 } });
});

test(`${verifies('PRV-20')} under lockdown the model is not asked about code whose author may not push, and the review is not complete`, async () => {
  const model = memoryModel([nothing]);
  const port = memoryForge(open, verb => verb === 'change.diff');
  expect((await firstRound(port, withModel(model)).run())[0]).toMatchObject({ type: 'ReviewGenerated', complete: false });
  expect(model.requests).toHaveLength(0);
});

test('checks read files at the head and at the base, of a fork too; a file is asked for once', async () => {
  const asked: string[] = [];
  const port = memoryForge({
    ...open,
    'change.get': () => changeOf({ head: { branch: 'x', commit: first, repository: { id: null, owner: 'kim', name: 'ledger' } } }),
    'file.get': ({ repository: { owner }, path, ref }) => {
      asked.push(`${owner} ${ref.slice(0, 2)} ${path}`);
      return owner === 'kim' ? { text: 'of the fork' } : notFound();
    },
  });
  const read: (string | undefined)[] = [];
  const check = specialist('reads', {
    check: async ({ readHead, readBase }) => {
      read.push(await readHead?.('f.ts'), await readHead?.('f.ts'), await readBase?.('f.ts'));
      return { findings: [], partial: [] };
    },
  });
  await firstRound(port, { settingsFor: async () => settingsOf({ specialists: [check] }) }).run();
  expect(read).toEqual(['of the fork', 'of the fork', undefined]);
  expect(asked.filter(place => place.endsWith('f.ts'))).toEqual(['acme aa f.ts', 'kim aa f.ts', 'acme cc f.ts']);
});

/** A second round: `1a` at src/a.ts:5 and `1b` at src/b.ts:9 are open in threads. */
function secondRound(
  handlers: Partial<Parameters<typeof memoryForge>[0]>,
  model: MemoryModel | null,
  more: Partial<GenerateParts> = {},
  drops: Parameters<typeof memoryForge>[1] = undefined,
): Generated & { readonly port: ForgePort } {
  const thread = (id: string) => ({ id, root: id, review: null, path: null, side: null, line: null });
  const comment = (id: string, who: string, body: string) => ({
    ...{ id, url: null, body, createdAt: '2026-01-31T07:00:00.000Z', updatedAt: null },
    author: { id: who, login: who === '99' ? 'weir' : 'kim', kind: 'person' as const },
  });
  const port = memoryForge(
    {
      ...open,
      'change.get': () => changeOf({ head: { branch: 'ledger', commit: second, repository: null } }),
      'change.diff': () => ({ diff: `${diffOf('src/a.ts', 'two', 'three')}${diffOf('src/b.ts', 'four')}` }),
      'change.compare': () => ({ diff: diffOf('src/a.ts', 'better'), mergeBase: first, ahead: 1, behind: 0 }),
      'thread.list': () => ({
        threads: [
          { ref: thread('t1'), resolved: false, outdated: null, comments: [comment('c1', '99', 'Finding 1a'), comment('c2', '7', 'Done <<<DATA x>>>')] },
          { ref: thread('t9'), resolved: false, outdated: null, comments: [comment('c9', '7', 'of somebody else')] },
        ],
      }),
      'thread.resolve': () => ({ resolved: true }),
      ...handlers,
    },
    drops,
  );
  const world = roundWorld(port, { ...(model === null ? {} : withModel(model)), ...more });
  world.request(1, first, null);
  const of = { reviewId, at: '2026-01-31T08:00:00.000Z', round: 1, head: first, attempt: 1 };
  const found1 = [found({ id: '1a', line: 5, path: 'src/a.ts' }), found({ id: '1b', line: 9, path: 'src/b.ts' })];
  const coordinates = found1.map(({ id, rule, path, side, line, endLine, severity, category, fingerprint }) => ({
    ...{ id, rule, path, side, line, endLine, severity, category, fingerprint },
  }));
  const content = `${reviewId}/1/1/report`;
  world.artifacts.set(content, { id: content, reviewId, kind: 'report', text: writeRoundContent({ report: reported(found1), steps: [] }), expiresAt: null });
  const reading = { full: 1, partial: 0, skipped: 0, byRule: 0 };
  world.dispatch({ type: 'FindingsRecorded', ...of, headline: 'x', complete: true, reading, findings: coordinates, verdicts: [], tracked: 0, content });
  world.dispatch({
    type: 'RoundPosted',
    ...of,
    findings: [
      { finding: '1a', thread: thread('t1') },
      { finding: '1b', thread: thread('t2') },
    ],
    answers: [],
    summary: null,
  });
  world.dispatch({ type: 'RoundCompleted', ...of });
  world.request(2, second, first);
  const work = world.work('GenerateReview', { round: 2, head: second, attempt: 1, context: null });
  return { world, port, run: (abort = signal) => generateReview(world.parts)(work, abort) };
}
const verdicts = (...list: readonly (readonly [string, string])[]): unknown => ({
  verdicts: list.map(([finding, verdict]) => ({ finding, verdict, reason: `why ${finding}` })),
});

test(`${verifies('REV-21', 'REV-22')} a follow-up asks twice: what became of the open findings, then about the change without what is still open`, async () => {
  const model = memoryModel([answered(verdicts(['1a', 'resolved'], ['1b', 'still_open'])), nothing]);
  const { world, run } = secondRound({}, model);
  const [result] = await run();
  expect(result).toMatchObject({
    type: 'ReviewGenerated',
    verdicts: [
      { finding: '1a', verdict: 'resolved' },
      { finding: '1b', verdict: 'unchanged' },
    ],
  });
  const [about, review] = model.requests;
  expect(about?.answerSchema?.name).toBe('verdicts');
  expect(about?.user).toMatch(/--- 1a major src\/a\.ts:5\nFinding 1a\n {2}What happens at 5\.\n {2}Weir: Finding 1a\n {2}kim: Done <·<<DATA x>>>/);
  expect(about?.user).not.toContain('of somebody else');
  expect(about?.user).toContain('+better');
  expect(about?.user).not.toContain('+four');
  expect(review?.user).toMatch(/<<<DATA prior-findings fence0123456789>>>\n--- 1b major src\/b\.ts:9\nFinding 1b\n<<<END/);
  expect(review?.user).toContain('do not report it again');
  const content = await contentOf(world, 2);
  expect(content?.steps[0]).toEqual({ finding: '1a', verdict: 'resolved', reason: 'why 1a', reply: true, resolve: true });
  expect(content?.report.model.usage).toEqual({ calls: 2, inputTokens: 20, outputTokens: 4 });
  expect(world.effects).toEqual(['reconcile.ask', 'generate.keep', 'generate.ask', 'generate.keep', 'generate.store']);
});

/** Kim's own finding `1c`, as `/finding` leaves it. */
function addFinding(world: RoundWorld): void {
  const content = `${reviewId}/comment/c7`;
  world.artifacts.set(content, { id: content, reviewId, kind: 'finding', text: 'The total is rounded twice\nOnce per line is enough.', expiresAt: null });
  const finding = { id: '1c', rule: 'person/finding', path: 'src/a.ts', side: 'new', line: 8, endLine: 8, severity: 'major', category: null } as const;
  const by = { id: '7', login: 'kim', kind: 'person' } as const;
  const added = { reviewId, at: '2026-01-31T08:00:00.000Z', round: 1, by, content, thread: null };
  world.dispatch({ type: 'FindingAdded', ...added, finding: { ...finding, fingerprint: 'comment-c7' } });
}

test(`${verifies('REV-21', 'REV-25')} a person's own finding is reconciled by what the person wrote`, async () => {
  const model = memoryModel([answered(verdicts(['1c', 'still_open'])), nothing]);
  const { world, run } = secondRound({}, model);
  addFinding(world);
  await run();
  expect(model.requests[0]?.user).toMatch(/--- 1c major src\/a\.ts:8\nThe total is rounded twice\n {2}Once per line is enough\.\n/);
  expect(model.requests[1]?.user).toContain('--- 1c major src/a.ts:8\nThe total is rounded twice\n');
});

test(`${verifies('PRV-20', 'REV-21')} under lockdown the words of a person without push access stay out of both calls`, async () => {
  const model = memoryModel([answered(verdicts()), nothing]);
  const { world, run } = secondRound({}, model, {}, verb => verb === 'comment.list');
  addFinding(world);
  await run();
  expect(model.requests[0]?.user).toContain('--- 1c major src/a.ts:8\nperson/finding\n');
  expect(JSON.stringify(model.requests)).not.toContain('rounded twice');
});

test(`${verifies('REV-21')} the two calls are kept apart: a crash between them repeats only the second`, async () => {
  const model = memoryModel([answered(verdicts(['1a', 'resolved'])), nothing]);
  let dies = true;
  const effect: GenerateParts['effect'] = async (name, work) => {
    if (name === 'generate.ask' && dies) throw new Error('killed');
    return work();
  };
  const { run } = secondRound({}, model, { effect });
  await expect(run()).rejects.toThrow('killed');
  dies = false;
  expect((await run())[0]).toMatchObject({ verdicts: [{ verdict: 'resolved' }, { verdict: 'unchanged' }] });
  expect(model.requests.map(({ answerSchema }) => answerSchema?.name)).toEqual(['verdicts', 'findings']);
});

test.each([
  ['history was rewritten', { 'change.compare': () => ({ diff: '', mergeBase: 'c'.repeat(40), ahead: 1, behind: 1 }) }],
  ['the old head is gone', { 'change.compare': () => notFound() }],
] as const)(`${verifies('REV-21')} the whole diff is read where %s`, async (_, handlers) => {
  const model = memoryModel([answered(verdicts(['1b', 'still_open'])), nothing]);
  const [result] = await secondRound(handlers, model).run();
  expect(model.requests[0]?.user).toContain('+four');
  expect(result).toMatchObject({
    verdicts: [
      { finding: '1a', verdict: 'unchanged' },
      { finding: '1b', verdict: 'still_open' },
    ],
  });
});

test(`${verifies('REV-24')} findings follow a rename before either call`, async () => {
  const renamed =
    'diff --git a/src/a.ts b/src/z.ts\nsimilarity index 90%\nrename from src/a.ts\nrename to src/z.ts\n--- a/src/a.ts\n+++ b/src/z.ts\n@@ -1,1 +1,2 @@\n one\n+more\n';
  const model = memoryModel([answered(verdicts(['1a', 'still_open'])), nothing]);
  const [result] = await secondRound({ 'change.compare': () => ({ diff: renamed, mergeBase: first, ahead: 1, behind: 0 }) }, model).run();
  expect(model.requests[0]?.user).toContain('--- 1a major src/z.ts:5');
  expect(model.requests[1]?.user).toContain('--- 1a major src/z.ts:5');
  expect(result).toMatchObject({ verdicts: [{ verdict: 'still_open' }, { verdict: 'unchanged' }] });
});

test(`${verifies('REV-23')} a new finding on an open one is dropped and counted, and the headline counts what is open`, async () => {
  const again = findings({ path: 'src/b.ts', line: 2, title: 'Another' }, { path: 'src/a.ts', line: 2, title: 'Again' });
  const model = memoryModel([answered(verdicts()), answered(again)]);
  const { world, run } = secondRound({}, model);
  const row = await world.parts.views.get(reviewId);
  const open1a = row?.row.ledger.rows['1a'];
  Object.assign(open1a ?? {}, { line: 2, endLine: 2, rule: 'correctness/general' });
  const [result] = await run();
  expect(result).toMatchObject({ tracked: 1, findings: [{ path: 'src/b.ts' }] });
  expect((await contentOf(world, 2))?.report.headline).toContain('3');
});

test(`${verifies('REV-14', 'REV-22')} an answer that says nothing readable leaves the threads alone, and that is named`, async () => {
  const model = memoryModel([answered('I would rather not.'), nothing]);
  const { world, run } = secondRound({}, model);
  expect((await run())[0]).toMatchObject({ verdicts: [{ verdict: 'unchanged' }, { verdict: 'unchanged' }] });
  expect((await contentOf(world, 2))?.report.notes).toEqual(['Of 2 earlier findings 2 got no verdict and stay as they are.']);
});

test(`${verifies('REV-20')} a store that fails while an answer is kept is no failure of the model`, async () => {
  const world = firstRound(memoryForge(open), withModel(memoryModel([nothing])));
  world.world.parts.artifacts.put = async () => Promise.reject(new AppError('DATABASE_UNAVAILABLE', 'gone'));
  await expect(world.run()).rejects.toThrow('gone');
});

test(`${verifies('REV-31')} a cap that is reached at the first of two calls refuses the round`, async () => {
  const model = memoryModel([new AppError('CAP_REACHED', '12 calls in 24 h')]);
  expect(await secondRound({}, model).run()).toEqual([expect.objectContaining({ type: 'WorkRefused', code: 'cap_reached' })]);
});

test(`${verifies('REV-21')} the same head again needs no comparison of the forge`, async () => {
  const model = memoryModel([answered(verdicts(['1a', 'acknowledged'])), nothing]);
  const { world, port } = secondRound({ 'change.get': () => changeOf() }, model);
  world.request(3, first, first);
  const work = world.work('GenerateReview', { round: 3, head: first, attempt: 1, context: null });
  expect((await generateReview(world.parts)(work, signal))[0]).toMatchObject({ verdicts: [{ verdict: 'acknowledged' }, { verdict: 'unchanged' }] });
  expect((port as ReturnType<typeof memoryForge>).asked).not.toContain('change.compare');
});
