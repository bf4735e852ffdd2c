import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { readUsage, WRITE_USAGE } from './usage.ts';

const openai = (input: number, output: number, total: number, cached?: number, reasoning?: number): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: total,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});
const read = (usage: object): ReturnType<typeof readUsage> => readUsage('chat', usage as Readonly<Record<string, unknown>>);

test(`${verifies('REV-29')} cached tokens are inside the input at OpenAI and beside it at Anthropic`, () => {
  expect(read(openai(100, 30, 130, 60, 10))).toMatchObject({
    input: 40,
    cachedInput: 60,
    cacheWrite: undefined,
    output: 20,
    reasoning: 10,
    total: 130,
    agrees: true,
  });
  expect(readUsage('messages', { input_tokens: 40, cache_read_input_tokens: 60, cache_creation_input_tokens: 5, output_tokens: 30 })).toMatchObject({
    input: 40,
    cachedInput: 60,
    cacheWrite: 5,
    output: 30,
    reasoning: undefined,
    total: undefined,
    agrees: undefined,
  });
});

test(`${verifies('REV-29')} the vendor's total tells whether reasoning is inside the output or beside it`, () => {
  expect(read(openai(100, 30, 140, 0, 10))).toMatchObject({ output: 30, reasoning: 10, agrees: true });
});

test(`${verifies('REV-29')} parts that contradict the total or each other are marked`, () => {
  expect(read(openai(100, 30, 999))).toMatchObject({ agrees: false });
  expect(read(openai(100, 30, 130, 200))).toMatchObject({ agrees: false });
  expect(read(openai(100, 30, 130, 0, 31))).toMatchObject({ agrees: false });
});

test.each([
  undefined,
  {},
  { prompt_tokens: 1 },
  { prompt_tokens: -1, completion_tokens: 1 },
  { prompt_tokens: '1', completion_tokens: 1 },
  { prompt_tokens: 1.5, completion_tokens: 1 },
])(`${verifies('REV-29')} %j is unknown and not zero`, usage => {
  expect(readUsage('chat', usage)).toBeUndefined();
});

test(`${verifies('REV-29')} every client gets the figures in its own meaning`, () => {
  const usage = read(openai(100, 30, 130, 60, 10));
  if (usage === undefined) throw new Error('no usage');
  expect(WRITE_USAGE.messages(usage)).toEqual({ input_tokens: 40, cache_creation_input_tokens: 0, cache_read_input_tokens: 60, output_tokens: 30 });
  expect(WRITE_USAGE.responses(usage)).toMatchObject({ input_tokens: 100, output_tokens: 30, total_tokens: 130, input_tokens_details: { cached_tokens: 60 } });
  expect(WRITE_USAGE.chat(usage)).toMatchObject({ prompt_tokens: 100, completion_tokens: 30 });
});
