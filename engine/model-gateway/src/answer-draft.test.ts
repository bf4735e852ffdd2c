import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { createAnswerDraft } from './answer-draft.ts';

function read(...payloads: readonly unknown[]) {
  const draft = createAnswerDraft();
  const taken = payloads.map(payload => draft.take(payload));
  return { ...draft.answer('asked'), taken, started: draft.started() };
}
const chunk = (delta: unknown, more: object = {}) => ({ model: 'm-1', choices: [{ index: 0, delta, finish_reason: null, ...more }] });

test('chunks and a whole completion give the same answer', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const streamed = read(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, { finish_reason: 'stop' }), {
    choices: [],
    usage,
  });
  const whole = read({ model: 'm-1', choices: [{ message: { content: 'Hello', refusal: null }, finish_reason: 'stop' }], usage });
  expect(streamed).toMatchObject({ text: 'Hello', finish: 'stop', model: 'm-1', inputTokens: 3, outputTokens: 2 });
  expect({ ...whole, taken: [] }).toEqual({ ...streamed, taken: [] });
});

test.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'refused'],
  ['tool_calls', 'other'],
  ['banana', 'other'],
  ['constructor', 'other'],
  [null, 'other'],
  [undefined, 'other'],
])(`${verifies('REV-16a')} the reason %s is %s`, (reason, finish) => {
  expect(read(chunk({ content: 'x' }, { finish_reason: reason })).finish).toBe(finish);
});

test.each([
  [undefined, 'unknown', 'unknown'],
  [null, 'unknown', 'unknown'],
  [{}, 'unknown', 'unknown'],
  [{ prompt_tokens: 0, completion_tokens: 4 }, 0, 4],
  [{ prompt_tokens: '3', completion_tokens: -1 }, 'unknown', 'unknown'],
  [{ prompt_tokens: 1.5, completion_tokens: Number.NaN }, 'unknown', 'unknown'],
])(`${verifies('PRO-2')} usage %j is %s in and %s out`, (usage, inputTokens, outputTokens) => {
  expect(read({ ...chunk({ content: 'x' }), usage })).toMatchObject({ inputTokens, outputTokens });
});

test('content as parts, as null, and as something else', () => {
  expect(read(chunk({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, null, { text: 'b' }] })).text).toBe('ab');
  expect(read(chunk({ content: null })).text).toBe('');
  expect(read(chunk({ content: 7 })).text).toBe('');
});

test('a refusal is the text, and refused whatever the reason', () => {
  expect(read(chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }, { finish_reason: 'stop' }))).toMatchObject({ text: 'I cannot.', finish: 'refused' });
});

test('only the first choice counts', () => {
  const choices = [
    { index: 1, delta: { content: 'no' } },
    { index: 0, delta: { content: 'yes' } },
  ];
  expect(read({ choices }).text).toBe('yes');
});

test.each([null, 3, 'x', [], {}, { choices: 'x' }, { error: {} }])('%j is no completion', payload => {
  expect(read(payload)).toMatchObject({ taken: [false], started: false, text: '', finish: 'other', model: 'asked' });
});
