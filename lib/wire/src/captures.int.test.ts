import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CapabilityFacts, DEFAULT_FACTS, PROTOCOLS, sealEnvelope, type WireProtocol } from '@weir/tool-plan';
import { verifies } from '@weir/requirements';
import { describe, expect, test } from 'vitest';
import { type ScriptedCall, scriptedStream, understand, type Understood } from '../test/scripted-upstream.ts';
import { clientError } from './client-error.ts';
import { type Conversions, convertRequest, type ConvertedRequest } from './convert-request.ts';
import type { JsonObject } from './json.ts';
import { openStream } from './open-stream.ts';
import { statusFailure } from './upstream-failure.ts';

// Every captured exchange of real clients, through the plan and back, for every pair of protocols.

const root = resolve(process.env['WEIR_SHARED'] ?? resolve(import.meta.dirname, '../../../../shared'), 'fixtures/harness');
const found = existsSync(root);
if (!found) console.warn(`SKIPPED: captures of real clients, since WEIR_SHARED has no fixtures/harness (${root})`);

const protocolOf = (url: string): WireProtocol => (url.includes('chat/completions') ? 'chat' : url.includes('/messages') ? 'messages' : 'responses');
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? filesOf(join(folder, entry.name)) : [join(folder, entry.name)]));

interface Capture {
  readonly name: string;
  readonly client: WireProtocol;
  readonly body: JsonObject;
  readonly status: number;
  readonly contentType: string;
  readonly answer: string;
}

function readCapture(file: string): readonly Capture[] {
  const { url, body } = JSON.parse(readFileSync(file, 'utf8')) as { url: string; body: JsonObject | string | null };
  const answerFile = file.replace('.request.json', '.response.sse');
  if (typeof body !== 'object' || body === null || !existsSync(answerFile)) return [];
  const text = readFileSync(answerFile, 'utf8');
  const [, status = '0', headers = '{}'] = /^# HTTP (\d+) (.*)/.exec(text) ?? [];
  const contentType = (JSON.parse(headers) as Record<string, string>)['content-type'] ?? '';
  return [
    { name: file.slice(root.length + 1), client: protocolOf(url), body, status: Number(status), contentType, answer: text.slice(text.indexOf('\n') + 1) },
  ];
}
const captures = found
  ? filesOf(root)
      .filter(file => file.endsWith('.request.json'))
      .flatMap(readCapture)
  : [];

const ALL: Partial<CapabilityFacts> = {
  custom: true,
  namespace: true,
  tool_search: true,
  additional_tools: true,
  developer_role: true,
  second_system_message: true,
  image_in_tool_result: true,
  hosted: { web_search: true },
};
const FRAME = { fallbackId: 'f', createdAt: 1, estimatedInputTokens: 5 };
const attempt = (client: WireProtocol, upstream: WireProtocol, body: JsonObject, facts: Partial<CapabilityFacts> = {}): Conversions =>
  convertRequest({ client, upstream, body, facts: { ...DEFAULT_FACTS[upstream], ...facts } });
const convert = (...input: Parameters<typeof attempt>): ConvertedRequest => {
  const result = attempt(...input);
  if ('failure' in result) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.converted;
};

/** A name of the history that no upstream takes, and an empty list of tools, are the only reasons to touch a native body. */
const isTouched = (body: JsonObject): boolean =>
  (Array.isArray(body['tools']) && body['tools'].length === 0) || JSON.stringify(body).includes('"mcp__forge.pr_get_diff"');

/** Codex takes the namespace functions and the root for one place; the plan answers with the declared one. */
const inRoot = (seen: Understood): Understood => ({
  ...seen,
  calls: seen.calls.map(call => (call.namespace === 'functions' ? { ...call, namespace: undefined } : call)),
});

function exchange({ plan }: ConvertedRequest): readonly (readonly [said: ScriptedCall, expected: ScriptedCall])[] {
  return plan.entries.flatMap(({ planned }, number) => {
    if (planned === undefined || planned.tool.kind === 'hosted') return [];
    const { tool, form, alias } = planned;
    const kind = tool.kind as ScriptedCall['kind'];
    const input = kind === 'custom' ? `*** Begin Patch\n+"${number}" é😀 \\` : JSON.stringify({ n: number, text: 'é😀"\\' });
    const expected = { id: `c${number}`, name: tool.name, namespace: tool.namespace, kind, input };
    const said: ScriptedCall =
      form === 'same'
        ? { ...expected, name: alias }
        : { ...expected, name: alias, namespace: undefined, kind: 'function', input: form === 'envelope' ? sealEnvelope(input) : input };
    return [[said, expected]] as const;
  });
}

describe.skipIf(!found)('captures', () => {
  test(`${verifies('MOD-11')} all captures are there`, () => {
    expect(captures.length).toBeGreaterThan(100);
  });

  test(`${verifies('MOD-4', 'MOD-11')} every captured request passes through its own protocol, or is written again without loss`, () => {
    for (const { name, client, body } of captures) {
      const native = convert(client, client, body, ALL);
      expect(native.passthrough, name).toBe(!isTouched(body));
      if (isTouched(body)) continue;
      const rewritten = convert(client, client, body, { ...ALL, hosted: {} }).body;
      const tools = (body['tools'] as JsonObject[] | undefined)?.filter(tool => tool['type'] !== 'web_search');
      expect(rewritten, name).toEqual(tools === undefined ? body : { ...body, tools });
    }
  });

  test(`${verifies('MOD-3', 'MOD-5', 'MOD-6')} every tool of every capture is called and answered through every pair of protocols`, () => {
    for (const { name, client, body } of captures) {
      for (const upstream of PROTOCOLS) {
        const converted = convert(client, upstream, { ...body, stream: true });
        const calls = exchange(converted);
        const machine = openStream({ ...converted, passthrough: false }, FRAME);
        const sse = machine.push(scriptedStream[upstream]({ text: 'ok', calls: calls.map(([said]) => said) })) + machine.end();
        expect(machine.failure(), `${name} → ${upstream}`).toBeUndefined();
        expect(understand[client](sse).calls, `${name} → ${upstream}`).toEqual(calls.map(([, expected]) => expected));
      }
    }
  });

  test(`${verifies('MOD-10', 'MOD-15')} every captured stream ends for its client as it ended for the client that was recorded`, () => {
    for (const { name, client, body, status, contentType, answer } of captures) {
      if (status !== 200 || !contentType.includes('event-stream')) continue;
      const converted = convert(client, client, body, ALL);
      const open = openStream(converted, FRAME);
      const passed = open.push(answer) + open.end();
      const rewriting = openStream({ ...converted, passthrough: false }, FRAME);
      const rewritten = rewriting.push(answer) + rewriting.end();
      const [before, after] = [understand[client](passed), inRoot(understand[client](rewritten))];
      const knows = ['unknown_tool', 'contradictory_input'].includes(rewriting.failure()?.code ?? '');
      if (!knows) expect(after, name).toEqual({ ...before, end: after.end, usage: after.usage, sealed: before.sealed });
      expect(after.end, name).not.toBe('');
      if (open.failure() === undefined && !knows) expect(rewriting.usage(), name).toEqual(open.usage());
    }
  });

  test(`${verifies('MOD-15')} every captured upstream error becomes one that the client understands`, () => {
    for (const { client, status, answer } of captures) {
      if (status === 200) continue;
      const failure = statusFailure({ status, body: answer });
      const error = clientError('responses', failure);
      expect([400, 404, 429, 503]).toContain(error.status);
      if (status === 401 || status === 403) expect(error).toMatchObject({ status: 400, body: { error: { code: 'provider_auth' } } });
      expect(JSON.stringify(clientError(client, failure).body).length).toBeLessThan(1000);
    }
  });
});
