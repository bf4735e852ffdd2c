import { expect, test } from 'vitest';
import { chatEndpoint } from './chat-endpoint.ts';

test.each([
  ['https://api.example/v1', 'https://api.example/v1/chat/completions'],
  ['https://api.example/v1/', 'https://api.example/v1/chat/completions'],
  ['https://api.example/v1///', 'https://api.example/v1/chat/completions'],
  ['https://api.example', 'https://api.example/chat/completions'],
  ['https://api.example/v1/chat/completions', 'https://api.example/v1/chat/completions'],
  ['https://api.example/v1/chat/completions/', 'https://api.example/v1/chat/completions'],
  ['https://api.example/d/x?api-version=1#top', 'https://api.example/d/x/chat/completions?api-version=1'],
  ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1/chat/completions'],
])('%s is asked at %s', (baseUrl, url) => {
  expect(chatEndpoint(baseUrl).href).toBe(url);
});

test('what is no URL is a configuration error that does not repeat it', () => {
  expect(() => chatEndpoint('sk-secret')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.not.stringContaining('secret') }));
});
