/** What happened in one run of the scenario: each request with its violations and its served tokens, and the verdict on each step. */
import type { FaultName } from './faults.ts';
import type { Asker, Judged } from './next-reply.ts';
import type { ProtocolName } from './protocol.ts';
import { callsOf, type Scenario, type StepName } from './scenario.ts';
import { addUsage, NO_USAGE, type ServedUsage } from './usage.ts';

export interface SeenRequest {
  readonly number: number;
  readonly protocol: ProtocolName;
  readonly model: string;
  readonly status: number;
  readonly violations: readonly string[];
  readonly fault: FaultName | null;
  readonly asker: Asker | null;
  readonly step: StepName | null;
  /** The reply told the agent that all is done. */
  readonly last: boolean;
  /** Tokens of a reply that was told whole; `unknown` when it broke off or hid them; null when nothing was served. */
  readonly served: ServedUsage | 'unknown' | null;
  readonly body: unknown;
}

/** A step is `not taken` when no tool for it was offered, or the run ended before it. */
export type Verdict = { readonly state: 'passed' | 'not taken' } | { readonly state: 'failed'; readonly problem: string };

export interface Recording {
  readonly requests: readonly SeenRequest[];
  readonly verdictOn: (step: StepName) => Verdict;
  /** Whether the agent was told that all steps are done. */
  readonly finished: () => boolean;
  readonly violations: () => readonly string[];
  /** The sum of the known tokens, how many replies it comes from, and how many more have unknown ones. */
  readonly served: () => { readonly sum: ServedUsage; readonly known: number; readonly unknown: number };
}

export interface Recorder extends Recording {
  /** @returns what changes the entry when the reply did not come to its end after all. */
  readonly add: (request: SeenRequest) => { readonly brokeOff: () => void };
  readonly note: (judged: readonly Judged[]) => void;
}

export function createRecorder(scenario: Scenario): Recorder {
  const requests: SeenRequest[] = [];
  const judged = new Map<string, string | null>();

  const verdictOn = (step: StepName): Verdict => {
    if (!requests.some(request => request.step === step)) return { state: 'not taken' };
    // A step without calls is judged as one.
    const places = Array.from({ length: Math.max(1, callsOf(scenario)[step].length) }, (_, place) => place);
    const problems = places.map(place => judged.get(`${step}/${place}`));
    const problem = problems.find(found => found !== null);
    if (problems.every(found => found === null)) return { state: 'passed' };
    return { state: 'failed', problem: problem ?? 'no result came back' };
  };
  return {
    requests,
    verdictOn,
    add: request => {
      const index = requests.push(request) - 1;
      return { brokeOff: () => void (requests[index] = { ...request, served: 'unknown' }) };
    },
    note: results => {
      // A client may drop an old image from its history; what once passed has passed.
      for (const { step, place, problem } of results) if (judged.get(`${step}/${place}`) !== null) judged.set(`${step}/${place}`, problem);
    },
    finished: () => requests.some(request => request.last && request.served !== 'unknown'),
    violations: () => requests.flatMap(request => request.violations.map(text => `request ${request.number} (${request.protocol}): ${text}`)),
    served: () => {
      const replies = requests.flatMap(request => (request.served === null ? [] : [request.served]));
      const known = replies.filter(usage => usage !== 'unknown');
      return { sum: known.reduce(addUsage, NO_USAGE), known: known.length, unknown: replies.length - known.length };
    },
  };
}
