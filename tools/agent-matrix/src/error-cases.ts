/**
 * What goes wrong in the short runs, and how a client ends then: how often it asks, and how often the upstream is asked for it (MOD-15, MOD-16).
 * A client pays for each request, so what is final has to stop it, and what passes must not.
 */
import type { FaultName, StepName } from '@weir/scripted-upstream';

export interface ErrorEnd {
  /** `recovers`: the script comes to its end all the same. `stops`: the client gives up. */
  readonly end: 'recovers' | 'stops';
  /** Requests of the client to the gateway. */
  readonly asks: number;
  /** Requests that the upstream sees for them. */
  readonly upstream: number;
}

export type Otherwise = Partial<ErrorEnd & { readonly says: string }>;

export interface ErrorCase extends ErrorEnd {
  readonly name: string;
  /** Played in place of the first turns, one each. */
  readonly faults: readonly FaultName[];
  /** Without it the model says at once that all is done, in the form that the client wants. */
  readonly steps?: readonly StepName[];
  readonly key?: 'small budget' | 'revoked';
  /** The upstream's refusal takes the credential out of the pool; the next case needs another. */
  readonly costsCredential?: true;
  /** Stands in what a client prints that stops. */
  readonly says?: string;
  /** Clients that end otherwise or say it in other words, by the agent's name. */
  readonly otherwise?: Readonly<Record<string, Otherwise>>;
}

/** One agent for each client and protocol. */
export const ERROR_AGENTS: readonly string[] = ['codex exec', 'pi, chat', 'pi, messages', 'opencode', 'claude code'];

/** More than any client asks. */
const always = (fault: FaultName): readonly FaultName[] => Array<FaultName>(60).fill(fault);
const final = (fault: FaultName, says: string) => ({ name: fault, faults: always(fault), end: 'stops', asks: 1, upstream: 1, says }) as const;
/** The gateway repeats once by itself, so the client sees the second one. */
const passing = (fault: FaultName) => ({ name: fault, faults: [fault, fault], end: 'recovers', asks: 2, upstream: 3 }) as const;
/** Shows only after the upstream said 200: the gateway cannot repeat, the client asks again. */
const shown = (fault: FaultName) => ({ name: fault, faults: [fault], end: 'recovers', asks: 2, upstream: 2 }) as const;

/** Claude Code answers every 400 by leaving out one of its optional features after the other. */
const lessFeatures = { asks: 6, upstream: 6 } as const;
/** pi and OpenCode take it for a full context, sum up what there is, and ask again. */
const makesRoom = { end: 'recovers', asks: 3, upstream: 3 } as const;
/** Codex and Claude Code have words of their own for what they know. */
const quotaOfCodex = { says: 'Quota exceeded' } as const;

export const ERROR_CASES: readonly ErrorCase[] = [
  { ...final('400', 'does not support 0.7'), otherwise: { 'claude code': lessFeatures } },
  // Claude Code also tries it without a stream.
  { ...final('404', 'does not exist'), otherwise: { 'claude code': { asks: 2, upstream: 2, says: 'issue with the selected model' } } },
  {
    ...final('413', 'exceeds the maximum size'),
    faults: ['413'],
    otherwise: { 'pi, messages': makesRoom, 'claude code': { says: 'Request too large' } },
  },
  { ...final('422', 'cannot be processed'), otherwise: { 'claude code': lessFeatures } },
  {
    ...final('context-length', '1000'),
    faults: ['context-length'],
    otherwise: { 'codex exec': { says: 'ran out of room' }, 'pi, messages': makesRoom, opencode: makesRoom },
  },
  passing('500'),
  passing('overloaded'),
  passing('429'),
  shown('error-200'),
  shown('html-200'),
  shown('cut'),
  {
    name: 'budget spent',
    faults: [],
    steps: ['shell', 'schema'],
    key: 'small budget',
    end: 'stops',
    asks: 2,
    upstream: 1,
    says: 'budget of this virtual key is spent',
    otherwise: { 'codex exec': quotaOfCodex },
  },
  { name: 'key revoked', faults: [], key: 'revoked', end: 'stops', asks: 1, upstream: 0, says: 'virtual key is revoked' },
  { ...final('401', 'refuses the credential'), costsCredential: true, otherwise: { 'claude code': { asks: 6 } } },
  {
    ...final('quota', 'The model provider says'),
    costsCredential: true,
    otherwise: { 'codex exec': quotaOfCodex, 'claude code': { says: 'Credit balance is too low' } },
  },
];
