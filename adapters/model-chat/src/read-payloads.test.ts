import { expect, test } from 'vitest';
import { readPayloads } from './read-payloads.ts';

const encoder = new TextEncoder();
async function* bodyOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
}
async function collect(...chunks: readonly (string | Uint8Array)[]) {
  const payloads: unknown[] = [];
  for await (const payload of readPayloads(bodyOf(...chunks))) payloads.push(payload);
  return payloads;
}

test.each([
  ['line feeds', 'data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n'],
  ['carriage returns', 'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\ndata: [DONE]\r\n\r\n'],
  ['no space', 'data:{"a":1}\n\ndata:{"a":2}\n\ndata:[DONE]\n\n'],
  ['keep-alive comments', ': thinking\n\n\n\ndata: {"a":1}\n\n: more\n\ndata: {"a":2}\n\n'],
  ['no [DONE]', 'data: {"a":1}\n\ndata: {"a":2}\n\n'],
  ['no final blank line', 'data: {"a":1}\n\ndata: {"a":2}'],
  ['event names, ids and a byte-order mark', '\ufeffevent: x\nid: 1\nretry: 5\ndata: {"a":1}\n\ndata: {"a":\ndata: 2}\n\n'],
  ['more after [DONE]', 'data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\ndata: rubbish\n\n'],
])('a stream with %s', async (_, text) => {
  expect(await collect(text)).toEqual([{ a: 1 }, { a: 2 }]);
  expect(await collect(...text)).toEqual([{ a: 1 }, { a: 2 }]);
});

test('a character that is split between two chunks stays whole', async () => {
  const bytes = encoder.encode('data: {"a":"🎉"}\n\n');
  for (let cut = 1; cut < bytes.length; cut += 1) expect(await collect(bytes.slice(0, cut), bytes.slice(cut))).toEqual([{ a: '🎉' }]);
});

test('one JSON value is read whatever the white space', async () => {
  expect(await collect(' \n', '{"a":', '1}\n')).toEqual([{ a: 1 }]);
});

test.each([
  ['<!doctype html><p>x', 'a web page'],
  ['\n  <html>', 'a web page'],
  ['{"a":', 'invalid or was cut off'],
  ['data: {"a":1\n\n', 'not JSON'],
  ['data: {"a":1', 'not JSON'],
])('%s is garbled', async (text, message) => {
  await expect(collect(text)).rejects.toMatchObject({ code: 'MODEL_GARBLED', message: expect.stringContaining(message) });
});

test.each(['', '   ', 'Hello', ': only a comment\n\n'])('"%s" holds nothing', async text => {
  expect(await collect(text)).toEqual([]);
});

test('what arrived before a break is yielded, then the break', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield encoder.encode('data: {"a":1}\n\n');
    throw new Error('reset');
  }
  const payloads = readPayloads(broken());
  expect(await payloads.next()).toEqual({ done: false, value: { a: 1 } });
  await expect(payloads.next()).rejects.toThrow('reset');
});
