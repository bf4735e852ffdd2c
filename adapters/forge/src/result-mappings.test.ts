import { CAPABILITIES, type Verb, VERBS } from '@weir/contract';
import { describe, expect, test } from 'vitest';
import { compileProvider } from './compile-provider.ts';
import { loadArguments, loadDescriptor, loadSamples, PROVIDERS, type SampleAnswers } from './load-builtin.fixture.ts';
import { type PerformCall, type PreparedCall, runVerb, type VerbOutcome } from './run-verb.ts';

const args = loadArguments();
const never = new AbortController().signal;

/** Answers from the sample; the calls that were asked for are kept. */
const scripted = (sample: SampleAnswers, asked: PreparedCall[] = []): PerformCall => {
  return async call => {
    asked.push(call);
    return { ok: true, answer: sample.calls[call.name] ?? null, status: sample.status, headers: sample.headers };
  };
};

const run = (provider: ReturnType<typeof compileProvider>, verb: Verb, sample: SampleAnswers): Promise<VerbOutcome<Verb>> =>
  runVerb(provider, { verb, args: args[verb] }, scripted(sample), never);

describe.each(PROVIDERS)('%s', name => {
  const provider = compileProvider(loadDescriptor(name));
  const samples = loadSamples(name);
  const bound = VERBS.filter(verb => provider.bindings.has(verb));

  test('PRV-15: every bound verb has a sample, and gives the canonical result', async () => {
    for (const verb of bound) {
      const sample = samples.get(verb);
      expect(sample, `${verb} has no sample`).toBeDefined();
      const outcome = await run(provider, verb, sample as SampleAnswers);
      expect(outcome, verb).toMatchObject({ ok: true });
      if (outcome.ok) expect(CAPABILITIES[verb].result.safeParse(outcome.value).success, verb).toBe(true);
    }
  });

  test('PRV-15: an answer that is null, empty, text, a number or a list of nulls is an error or no change, never a made-up result', async () => {
    for (const verb of bound) {
      const sample = samples.get(verb) as SampleAnswers;
      for (const hostile of [null, {}, 'text', 7, [null], [{}], [[]], true]) {
        const outcome = await run(provider, verb, { ...sample, calls: Object.fromEntries(Object.keys(sample.calls).map(call => [call, hostile])) });
        if (outcome.ok) expect(CAPABILITIES[verb].result.safeParse(outcome.value).success, verb).toBe(true);
        else expect(['mapping', 'call'], `${verb} ${JSON.stringify(hostile)}`).toContain(outcome.kind);
      }
    }
  });

  test('PRV-15: one value of a wrong kind gives an error or leaves the result as it is', async () => {
    const wrong: string[] = [];
    for (const verb of bound) {
      const sample = samples.get(verb) as SampleAnswers;
      const right = await run(provider, verb, sample);
      for (const { place, calls } of mutations(sample.calls)) {
        const outcome = await run(provider, verb, { ...sample, calls });
        if (outcome.ok && JSON.stringify(outcome) !== JSON.stringify(right)) wrong.push(`${verb} ${place}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

const HOSTILE = { hostile: true };

/** Every leaf replaced by an object, one at a time. */
function* mutations(calls: Readonly<Record<string, unknown>>): Generator<{ place: string; calls: Record<string, unknown> }> {
  for (const place of leaves(calls, [])) {
    const copy = structuredClone(calls) as Record<string, unknown>;
    let here = copy as Record<string | number, unknown>;
    for (const key of place.slice(0, -1)) here = here[key] as Record<string | number, unknown>;
    here[place.at(-1) as string] = HOSTILE;
    yield { place: place.join('.'), calls: copy };
  }
}

function* leaves(value: unknown, place: (string | number)[]): Generator<(string | number)[]> {
  if (typeof value !== 'object' || value === null) {
    if (place.length > 0) yield place;
    return;
  }
  for (const [key, member] of Object.entries(value)) yield* leaves(member, [...place, Array.isArray(value) ? Number(key) : key]);
}
