import { expect, test } from 'vitest';
import { chatRoot } from './chat-root.ts';

test.each([
  ['https://api.example/v1', 'https://api.example/v1'],
  ['https://api.example/v1/', 'https://api.example/v1'],
  ['https://api.example/v1///', 'https://api.example/v1'],
  ['https://api.example', 'https://api.example'],
  ['https://api.example/?v=1', 'https://api.example?v=1'],
  ['https://api.example/v1/chat/completions', 'https://api.example/v1'],
  ['https://api.example/v1/chat/completions/', 'https://api.example/v1'],
  ['https://api.example/chat/completions', 'https://api.example'],
  ['https://api.example/d/x?api-version=1#top', 'https://api.example/d/x?api-version=1'],
  ['https://user:pass@api.example/v1', 'https://user:pass@api.example/v1'],
  ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
])('%s has the root %s', (baseUrl, root) => {
  expect(chatRoot(baseUrl)).toBe(root);
});

test('what is no URL is a configuration error that does not repeat it', () => {
  expect(() => chatRoot('sk-secret')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.not.stringContaining('secret') }));
});
