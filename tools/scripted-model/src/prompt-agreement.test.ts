// The scripted model must read what the prompt really writes. The two share no code, so they meet here.
import { parseDiff } from '@weir/diff';
import { answerSchema, readFindings } from '@weir/model-answer';
import { buildPrompt, estimateTokens, planCalls, SLOT_BUDGETS } from '@weir/prompt';
import { expect, test } from 'vitest';
import { answerFor } from './answer.ts';
import { findPlants } from './find-plants.ts';
import { MODES } from './modes.ts';

const added = (path: string, ...lines: readonly string[]) =>
  [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map(line => `+${line}`),
    '',
  ].join('\n');

const files = parseDiff(
  [
    added('src/a (1).ts', 'ok();', '  bad(); // weir-plant: major correctness Off by one'),
    added('src/big.ts', ...Array.from({ length: 400 }, (_, index) => `line(${index}, "some text that fills the call");`), '# weir-plant: note - At the end'),
    'diff --git a/old.ts b/new.ts\nsimilarity index 60%\nrename from old.ts\nrename to new.ts\n--- a/old.ts\n+++ b/new.ts\n@@ -5,2 +5,2 @@\n keep\n-gone // weir-plant: major correctness Removed\n+here // weir-plant: minor tests Renamed\n',
  ].join(''),
);

function prompts(maxCalls: number): readonly string[] {
  const { calls } = planCalls(files, { tokensPerCall: 4_000, maxCalls, countTokens: estimateTokens });
  return calls.map(
    ({ diff }) =>
      buildPrompt({
        instructions: 'Review.',
        answerSchema,
        slots: { rules: 'No marks: weir-plant: note - Not in the diff', diff },
        budgets: { ...SLOT_BUDGETS, diff: 4_000 },
        fence: 'abcdefgh12345678',
        countTokens: estimateTokens,
      }).user,
  );
}

const places = (texts: readonly string[]) => texts.flatMap(findPlants).map(({ path, line }) => `${path}:${line}`);

test('every mark on an added line is found in the real prompt, at its line, in whatever call it is', () => {
  const texts = prompts(4);
  expect(texts.length).toBeGreaterThan(1);
  expect([...places(texts)].sort()).toEqual(['new.ts:6', 'src/a (1).ts:2', 'src/big.ts:401']);
});

test('what the prompt has no room for is not found', () => {
  expect(places(prompts(1)).length).toBeLessThan(3);
});

test('the answer has the fields of the schema that the prompt shows, and no others', () => {
  const { findings } = JSON.parse(answerFor('', prompts(4).flatMap(findPlants))) as { findings: object[] };
  const { properties } = answerSchema as { properties: { findings: { items: { required: string[] } } } };
  for (const finding of findings) expect(Object.keys(finding).sort()).toEqual([...properties.findings.items.required].sort());
});

test('the honest answer is read back whole, and the faulty ones are never called complete', () => {
  const honest = answerFor('', prompts(4).flatMap(findPlants));
  const read = (mode: string, finish: 'stop' | 'length') =>
    readFindings(MODES.get(mode)?.content?.(honest) ?? honest, { finish, rulePrefix: 'correctness', knownPaths: ['src/a (1).ts', 'src/big.ts', 'new.ts'] });
  const whole = read('scripted', 'stop');
  expect(whole.complete).toBe(true);
  expect(whole.findings.map(({ path, line }) => `${path}:${line}`).sort()).toEqual(['new.ts:6', 'src/a (1).ts:2', 'src/big.ts:401']);
  expect(read('scripted-fenced', 'stop')).toMatchObject({ complete: true, findings: whole.findings });
  expect(read('scripted-cut', 'length')).toMatchObject({ complete: false, findings: whole.findings.slice(0, 2) });
  expect(read('scripted-garbage', 'stop')).toMatchObject({ complete: false, findings: [] });
  expect(read('scripted-empty', 'stop')).toMatchObject({ complete: false, findings: [] });
});
