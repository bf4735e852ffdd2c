import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { DEFAULT_FACTS } from './capability-facts.ts';
import { readFacts } from './read-facts.ts';

const problem = (json: unknown): string => {
  const read = readFacts(json, 'chat');
  return 'problem' in read ? read.problem : '';
};

test(`${verifies('MOD-18a')} missing keys take the defaults of the protocol`, () => {
  expect(readFacts(undefined, 'chat')).toEqual({ facts: DEFAULT_FACTS.chat });
  expect(readFacts({ custom: true, hosted: { web_search: true } }, 'responses')).toEqual({
    facts: { ...DEFAULT_FACTS.responses, custom: true, hosted: { web_search: true } },
  });
});

test(`${verifies('MOD-18a')} an unknown key is an error with the nearest name`, () => {
  expect(problem({ developer_rol: true })).toContain('Did you mean "developer_role"?');
  expect(problem({ zzzzzzzzzz: true })).toContain('Known are');
  expect(problem(JSON.parse('{"__proto__": true}'))).toContain('__proto__');
});

test.each([
  [{ custom: 'yes' }, 'true or false'],
  [{ json_schema: 'text_format' }, 'response_format or none'],
  [{ json_schema: 'xml' }, 'one of'],
  [{ reasoning_field: 7 }, 'null or the name'],
  [{ sealed_reasoning: true }, 'one of'],
  [{ name_max: 3 }, 'whole number'],
  [{ hosted: { web_search: 'yes' } }, 'web_search'],
  [{ hosted: [] }, 'object'],
  [[], 'JSON object'],
  [{ name_pattern: '(a+)+$' }, 'character classes'],
  [{ name_pattern: '^[z-a]$' }, 'regular expression'],
  [{ name_pattern: '^[a]*[a]*[a]*[a]*$' }, 'character classes'],
])(`${verifies('MOD-18a')} %j is refused`, (json, sentence) => {
  expect(problem(json)).toContain(sentence);
});

test(`${verifies('MOD-18a')} a pattern of character classes is taken`, () => {
  expect(readFacts({ name_pattern: '^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$' }, 'chat')).toMatchObject({ facts: { name_pattern: '^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$' } });
});
