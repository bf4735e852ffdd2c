/** One step of a session: a verb through the engine, or something that people do on the forge meanwhile. */
import { AssertionError } from 'node:assert';
import type { Verb, VerbArguments, VerbResult } from '@weir/contract';
import type { VerbOutcome } from '@weir/forge';
import type { Scene } from './scene.ts';

export interface StepReport {
  readonly title: string;
  /** Null for what is no verb. */
  readonly verb: Verb | null;
  readonly state: 'done' | 'unsupported' | 'failed';
  /** What happened, in one line. */
  readonly line: string;
}

export interface Step {
  readonly verb: Verb | null;
  readonly run: (scene: Scene) => Promise<StepReport>;
}

interface VerbStep<V extends Verb> {
  /** What it is about, where a verb is used more than once. */
  readonly about?: string;
  readonly as?: 'app';
  readonly args: (scene: Scene) => VerbArguments<V>;
  /** Holds the result against what was asked for, and says in a line what came. Throws AssertionError. */
  readonly show: (value: VerbResult<V>, scene: Scene) => string;
}

type Judged = Pick<StepReport, 'state' | 'line'>;

async function judge(work: () => Judged | Promise<Judged>): Promise<Judged> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AssertionError) return { state: 'failed', line: error.message };
    throw error;
  }
}

const lineOf = (outcome: Exclude<VerbOutcome<Verb>, { ok: true }>): string => {
  switch (outcome.kind) {
    case 'unsupported':
      return outcome.instead;
    case 'arguments':
      return `arguments: ${outcome.reason}`;
    case 'call':
      return `${outcome.call}: ${outcome.failure.kind}: ${outcome.failure.message}`;
    case 'mapping':
      return `the answer is not what the descriptor expects: ${outcome.place}: ${outcome.reason}`;
  }
};

/** A verb of the capability list. A failure of it is reported, and ends nothing. */
export const verbStep = <V extends Verb>(verb: V, { about, as, args, show }: VerbStep<V>): Step => ({
  verb,
  run: async scene => {
    const title = about === undefined ? verb : `${verb} (${about})`;
    const provider = as === 'app' ? scene.app : scene.provider;
    const judged = await judge(async () => {
      const outcome = await provider.verb(verb, args(scene), { signal: AbortSignal.timeout(60_000), actor: 'person:demo', run: scene.kind });
      if (outcome.ok) return { state: 'done', line: show(outcome.value, scene) };
      return { state: outcome.kind === 'unsupported' ? 'unsupported' : 'failed', line: lineOf(outcome) };
    });
    return { title, verb, ...judged };
  },
});

/** What happens beside the engine. */
export const sceneStep = (title: string, act: (scene: Scene) => string | Promise<string>): Step => ({
  verb: null,
  run: async scene => ({ title, verb: null, ...(await judge(async () => ({ state: 'done', line: await act(scene) }))) }),
});
