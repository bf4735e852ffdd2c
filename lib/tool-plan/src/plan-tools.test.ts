import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { type CapabilityFacts, DEFAULT_FACTS } from './capability-facts.ts';
import { type PlanInput, planTools } from './plan-tools.ts';
import type { ToolDeclaration, ToolKind, ToolName } from './tool-declaration.ts';

const tool = (name: string, more: Partial<ToolDeclaration> = {}): ToolDeclaration => ({
  namespace: undefined,
  name,
  kind: 'function',
  source: 'tools',
  description: '',
  parameters: { type: 'object', properties: {} },
  strict: undefined,
  grammar: undefined,
  wire: { type: more.kind ?? 'function', name },
  wireNamespace: undefined,
  ...more,
});
const named = (name: string, namespace?: string, kind: ToolKind = 'function'): ToolName => ({ namespace, name, kind });
const plan = (declared: readonly ToolDeclaration[], more: Partial<PlanInput> = {}, facts: Partial<CapabilityFacts> = {}): ReturnType<typeof planTools> => {
  const upstream = more.upstream ?? 'chat';
  return planTools({ client: 'responses', upstream, declared, used: [], choice: undefined, ...more, facts: { ...DEFAULT_FACTS[upstream], ...facts } });
};
const rows = (result: ReturnType<typeof planTools>): readonly string[] =>
  result.entries.map(({ declaration, disposition, planned }) => `${declaration.name}:${disposition}:${planned?.alias ?? '-'}`);

test(`${verifies('MOD-2', 'MOD-3')} the four dispositions follow from kind and facts`, () => {
  const declared = [tool('shell'), tool('apply_patch', { kind: 'custom' }), tool('child', { namespace: 'ns' }), tool('web_search', { kind: 'hosted' })];
  expect(rows(plan(declared))).toEqual(['shell:native:shell', 'apply_patch:adapt:apply_patch', 'child:adapt:ns__child', 'web_search:omit:-']);
  expect(plan(declared, { choice: { mode: 'named', tool: named('web_search', undefined, 'hosted') } }).entries.at(-1)?.disposition).toBe(
    'required_but_unavailable',
  );
});

test(`${verifies('MOD-2')} case 15: the fact decides and not the protocol's name`, () => {
  const declared = [tool('apply_patch', { kind: 'custom' }), tool('child', { namespace: 'ns' })];
  expect(rows(plan(declared, { upstream: 'responses' }))).toEqual(['apply_patch:adapt:apply_patch', 'child:adapt:ns__child']);
  const native = plan(declared, { upstream: 'responses' }, { custom: true, namespace: true });
  expect(rows(native)).toEqual(['apply_patch:native:apply_patch', 'child:native:child']);
  expect(native.unchanged).toBe(true);
});

test(`${verifies('MOD-3')} a tool without a form on the route is omitted with the reason`, () => {
  const [entry] = plan([tool('shell')], {}, { function: false }).entries;
  expect(entry).toMatchObject({ disposition: 'omit', reason: expect.stringContaining('no function tools') });
});

test(`${verifies('MOD-5')} case 22: long names get a legal alias that does not depend on the order`, () => {
  const long = tool('a'.repeat(60), { namespace: 'mcp__server_with_a_long_name' });
  const other = tool('b', { namespace: 'ns' });
  const alias = (declared: readonly ToolDeclaration[]): string | undefined => plan(declared).toUpstream(long)?.alias;
  expect(alias([long, other])).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(alias([other, long])).toBe(alias([long]));
  expect(alias([long])?.slice(-9)).toMatch(/^_[0-9a-f]{8}$/);
});

test(`${verifies('MOD-5')} whoever would share a readable alias gets the hashed one, in any order`, () => {
  const root = tool('ns__child');
  const child = tool('child', { namespace: 'ns' });
  for (const declared of [
    [root, child],
    [child, root],
  ]) {
    const result = plan(declared);
    expect(result.toUpstream(root)?.alias).toBe('ns__child');
    expect(result.toUpstream(child)?.alias).toMatch(/^ns__child_[0-9a-f]{8}$/);
    expect(result.toClient('ns__child', undefined, 'function')?.tool).toMatchObject({ namespace: undefined, name: 'ns__child' });
  }
});

test(`${verifies('MOD-5')} a name that is illegal upstream gets an alias, and the alias leads back`, () => {
  const dotted = tool('pr.get-diff', { namespace: 'mcp' });
  const alias = plan([dotted]).toUpstream(dotted)?.alias ?? '';
  expect(alias).toMatch(/^mcp__pr_get-diff_[0-9a-f]{8}$/);
  expect(plan([dotted]).toClient(alias, undefined, 'function')?.tool.name).toBe('pr.get-diff');
});

test(`${verifies('MOD-5')} case 17: spellings that upstreams invent are found by look-up, and an unknown name is not`, () => {
  const result = plan([tool('pr_get_diff', { namespace: 'mcp__forge' }), tool('a__b', { namespace: 'x' }), tool('b', { namespace: 'x__a' })]);
  expect(result.toClient('mcp__forge.pr_get_diff', undefined, 'function')?.tool).toMatchObject({ namespace: 'mcp__forge', name: 'pr_get_diff' });
  expect(result.toClient('pr_get_diff', 'mcp__forge', 'function')?.tool).toMatchObject({ namespace: 'mcp__forge', name: 'pr_get_diff' });
  expect(result.toClient('pr_get_diff', undefined, 'function')).toBeUndefined();
  expect(result.toClient('x__a__b', undefined, 'function')).toBeUndefined();
});

test(`${verifies('MOD-5')} case 13: the upstream's kind of call has to fit what it was given`, () => {
  const patch = tool('apply_patch', { kind: 'custom' });
  expect(plan([patch], { upstream: 'responses' }).toClient('apply_patch', undefined, 'custom')?.form).toBe('same');
  expect(plan([patch], { upstream: 'responses' }).toClient('apply_patch', undefined, 'function')?.form).toBe('envelope');
  expect(plan([patch], { upstream: 'responses' }, { custom: true }).toClient('apply_patch', undefined, 'function')).toBeUndefined();
  expect(plan([tool('shell')]).toClient('shell', undefined, 'custom')).toBeUndefined();
});

test(`${verifies('MOD-5')} the namespace functions and the root are one place`, () => {
  const result = plan([tool('exec', { namespace: 'functions', kind: 'custom' }), tool('shell')]);
  expect(result.toClient('exec', undefined, 'custom')?.tool.namespace).toBe('functions');
  expect(result.toClient('functions.shell', undefined, 'function')?.tool).toMatchObject({ namespace: undefined, name: 'shell' });
});

test(`${verifies('MOD-7')} all three places count, the top of the request wins, and history needs no declaration`, () => {
  const found = tool('late', { source: 'tool_search_output', wire: { v: 1 } });
  const again = tool('late', { source: 'tool_search_output', wire: { v: 2 } });
  const result = plan([tool('shell'), tool('more', { source: 'additional_tools' }), found, again], { used: [named('gone', 'ns')] });
  expect(rows(result)).toEqual(['shell:native:shell', 'more:adapt:more', 'late:adapt:late']);
  expect(result.entries[2]?.declaration.wire).toEqual({ v: 2 });
  expect(result.toUpstream(named('gone', 'ns'))?.alias).toBe('ns__gone');
  expect(result.toClient('ns__gone', undefined, 'function')?.tool.name).toBe('gone');
});

test(`${verifies('MOD-7')} a name of the history gives way to a declared tool`, () => {
  const result = plan([tool('apply_patch', { kind: 'custom' })], { used: [named('apply_patch')] });
  expect(result.toUpstream(named('apply_patch', undefined, 'custom'))?.alias).toBe('apply_patch');
  expect(result.toUpstream(named('apply_patch'))?.alias).toMatch(/^apply_patch_[0-9a-f]{8}$/);
});

test(`${verifies('MOD-7')} two different declarations of one tool side by side are refused`, () => {
  expect(plan([tool('shell'), tool('shell', { wire: { other: true } })]).failure?.code).toBe('contradictory_tools');
  expect(plan([tool('shell'), tool('shell')]).failure).toBeUndefined();
  expect(plan([tool('')]).failure?.code).toBe('contradictory_tools');
});

test(`${verifies('MOD-8')} tool_choice is kept or fails`, () => {
  const web = tool('web_search', { kind: 'hosted' });
  expect(plan([web], { choice: { mode: 'required' } }).failure?.code).toBe('tool_choice_unavailable');
  expect(plan([web, tool('shell')], { choice: { mode: 'required' } }).failure).toBeUndefined();
  expect(plan([], { choice: { mode: 'named', tool: named('nothing') } }).failure?.code).toBe('tool_choice_unknown');
  expect(plan([tool('shell')], { choice: { mode: 'named', tool: named('shell') } }).failure).toBeUndefined();
  expect(plan([web], { choice: { mode: 'none' } }).failure).toBeUndefined();
  const allowed = { mode: 'allowed', need: 'required', tools: [named('web_search', undefined, 'hosted')] } as const;
  expect(plan([web, tool('shell')], { choice: allowed }).failure?.code).toBe('tool_choice_unavailable');
  expect(plan([web, tool('shell')], { choice: { ...allowed, need: 'auto' } }).failure).toBeUndefined();
});

test(`${verifies('MOD-8')} a hosted tool needs the fact and its own protocol`, () => {
  const web = tool('web_search', { kind: 'hosted' });
  const hosted = { hosted: { web_search: true } };
  expect(rows(plan([web], { upstream: 'responses' }, hosted))).toEqual(['web_search:native:web_search']);
  expect(rows(plan([web], { upstream: 'messages' }, hosted))).toEqual(['web_search:omit:-']);
  expect(rows(plan([tool('__proto__', { kind: 'hosted' })], { upstream: 'responses' }, hosted))).toEqual(['__proto__:omit:-']);
});

const V1 = ['spawn_agent', 'wait_agent', 'send_input'].map(name => tool(name, { namespace: 'multi_agent_v1' }));
const V2 = ['spawn_agent', 'wait_agent', 'send_message'].map(name => tool(name, { namespace: 'collaboration' }));

test(`${verifies('MOD-9')} collaboration is recognised by namespace and children, and never mixed`, () => {
  expect(plan(V1).collaboration).toBe('v1');
  expect(plan(V2).collaboration).toBe('v2');
  expect(plan([tool('spawn_agent', { namespace: 'mcp__mine' })]).collaboration).toBe('none');
  expect(plan([tool('chat', { namespace: 'collaboration' })]).collaboration).toBe('none');
  expect(plan([...V1, ...V2]).failure?.code).toBe('ambiguous_collaboration');
  expect(plan([...V1, tool('followup_task', { namespace: 'multi_agent_v1' })]).failure?.code).toBe('ambiguous_collaboration');
});
