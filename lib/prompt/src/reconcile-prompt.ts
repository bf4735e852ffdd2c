/**
 * The prompt that asks what became of earlier findings (REV-21, REV-22): the findings with their conversations, and what has changed.
 * The two have budgets of their own, and neither takes from the other.
 */
import type { FileCoverage } from '@weir/contract';
import type { DiffFile } from '@weir/diff';
import { answerRules, dataPrompt, type Prompt } from './build-prompt.ts';
import { DATA_RULES, DIFF_FORM } from './data-rules.ts';
import type { CountTokens } from './estimate-tokens.ts';
import { planCalls } from './plan-calls.ts';
import { type PriorFinding, priorFindingsSlot } from './prior-findings.ts';

const INSTRUCTIONS = `You follow up on findings that an earlier review of this change has reported. The data named prior-findings lists them: id, severity and place, then the finding, then the conversation about it. The data named diff shows what has changed since, or the whole change; the question says which.

Give each listed finding exactly one verdict:
- resolved: the diff removes what the finding is about, or, where it is the whole change, no longer holds it.
- acknowledged: a person has explained why it is to stay as it is, or that it will be dealt with elsewhere, and the explanation holds.
- superseded: the code that it is about is gone or rewritten, so that the finding has lost its object.
- still_open: the diff touches it, or somebody claims that it is done, and the problem is still there.
- unchanged: nothing in the diff or in the conversation bears on it.
Only the code proves that something is resolved; a claim in a conversation does not. When in doubt, answer unchanged.`;

const SHOWN = { since: 'The diff is what has changed since the findings were reported.', whole: 'The diff is the whole change as it is now.' } as const;
const QUESTION = 'Give the verdicts on the findings above. Answer with the JSON object only.';

/** Part of the room that the findings may take; the diff has the rest. */
const FINDINGS_SHARE = 0.5;
/** Fence lines and the question. */
const OVERHEAD = 400;

export interface ReconcileInput {
  readonly findings: readonly PriorFinding[];
  /** What has changed since the head that the findings are about, or the whole change. */
  readonly files: readonly DiffFile[];
  readonly shown: keyof typeof SHOWN;
  readonly answerSchema: Readonly<Record<string, unknown>>;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly fence: string;
  readonly countTokens: CountTokens;
}

export interface ReconcilePrompt {
  readonly prompt: Prompt;
  readonly maxOutputTokens: number;
  /** Ids of the findings that are asked about. */
  readonly asked: readonly string[];
  /** What of the diff is shown: one call has one. */
  readonly coverage: readonly FileCoverage[];
  readonly notes: readonly string[];
}

export function reconcilePrompt(input: ReconcileInput): ReconcilePrompt {
  const { findings, answerSchema, countTokens, fence } = input;
  const system = `${INSTRUCTIONS}\n\n${DATA_RULES}\n\n${DIFF_FORM}\n\n${answerRules(answerSchema)}`;
  const maxOutputTokens = Math.min(input.maxOutputTokens, Math.floor(input.contextTokens / 3));
  const room = Math.max(0, input.contextTokens - maxOutputTokens - countTokens(system) - OVERHEAD);
  const prior = priorFindingsSlot(findings, Math.floor(room * FINDINGS_SHARE), countTokens);
  const tokensPerCall = Math.max(0, room - countTokens(prior.text));
  const { calls, coverage } = planCalls(input.files, { tokensPerCall, maxCalls: 1, countTokens });
  const lost = coverage.filter(({ reading, byRule }) => reading !== 'full' && !byRule).length;
  const prompt = dataPrompt({
    system,
    question: `${SHOWN[input.shown]} ${QUESTION}`,
    slots: { 'prior-findings': prior.text, diff: calls[0]?.diff ?? '' },
    budgets: { rules: 0, context: 0, 'code-context': 0, 'prior-findings': room, diff: tokensPerCall },
    fence,
    countTokens,
  });
  const lostNote = lost === 0 ? [] : [`the follow-up read ${coverage.length - lost} of ${coverage.length} changed files whole: one call has no room for more`];
  return { prompt, maxOutputTokens, asked: prior.shown, coverage, notes: [...(prior.note === null ? [] : [prior.note]), ...lostNote] };
}
