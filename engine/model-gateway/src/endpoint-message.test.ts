import { expect, test } from 'vitest';
import { endpointMessage } from './endpoint-message.ts';

test.each([
  ['{"error":{"message":"no such model","type":"x"}}', 'no such model'],
  ['{"error":"model not found"}', 'model not found'],
  ['{"object":"error","message":"too long","code":400}', 'too long'],
  ['{"message":"nope"}', 'nope'],
  ['{"detail":"Not Found"}', 'Not Found'],
  ['{"detail":[{"loc":["body"],"msg":"Field required"}]}', 'Field required'],
  ['plain words', 'plain words'],
  [' <html><body>Bad gateway</body></html>', 'a web page instead of JSON'],
  ['{"a":1}', '{"a":1}'],
  ['null', 'null'],
  ['', ''],
])('%s says "%s"', (body, message) => {
  expect(endpointMessage(body)).toBe(message);
});

test('one line, without control characters, bounded', () => {
  const body = JSON.stringify({ error: { message: `a\n\tb\u001b[31mc\u202ed${'x'.repeat(500)}` } });
  const message = endpointMessage(body);
  expect(message).toMatch(/^a b \[31mc dx+…$/);
  expect(message).toHaveLength(301);
});
