/**
 * Plans what the models are asked: for each specialist with a prompt, which calls, with which text (REV-15, REV-16b).
 * `weir debug prompt` prints it; `askModel` sends it.
 */
import type { FileCoverage } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { answerSchema } from '@weir/model-answer';
import {
  buildPrompt,
  type CountTokens,
  estimateTokens,
  planCalls,
  type Prompt,
  promptBudgets,
  type RulesFile,
  rulesSlot,
  type SlotName,
  systemText,
} from '@weir/prompt';
import type { ReviewPart, Specialist } from '@weir/specialist-kit';

export interface PlanPromptsInput {
  readonly specialists: readonly Specialist[];
  readonly files: readonly DiffFile[];
  /** Rules files of the target branch, and texts from elsewhere: data, written by others. */
  readonly rules: readonly RulesFile[];
  readonly context?: string;
  readonly codeContext?: string;
  readonly priorFindings?: string;
  /** Tokens of one call, input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Calls of the whole review; several specialists share them. */
  readonly maxCalls: number;
  /** New random letters and digits for each call, 8 to 64 of them. */
  readonly fence: () => string;
  readonly countTokens?: CountTokens;
}

export interface PlannedPrompt {
  /** Key of the specialist. */
  readonly source: string;
  readonly prompt: Prompt;
  /** Paths of the files, of which this call reads all or a part. */
  readonly paths: readonly string[];
  readonly maxOutputTokens: number;
}

export interface SpecialistPlan {
  readonly source: string;
  readonly prompts: readonly PlannedPrompt[];
  /** One entry for each file that the specialist reads, in order. */
  readonly coverage: readonly FileCoverage[];
  /** Slots that were cut. */
  readonly notes: readonly string[];
}

type Asked = Specialist & { readonly review: ReviewPart & { readonly prompt: { readonly instructions: string } } };
const isAsked = (specialist: Specialist): specialist is Asked => specialist.review?.prompt !== undefined;

/** What of the prompts of each specialist is the same for every change. */
export const fixedTexts = (specialists: readonly Specialist[]): readonly { readonly specialist: string; readonly text: string }[] =>
  specialists.filter(isAsked).map(({ key, review }) => ({ specialist: key, text: systemText(review.prompt.instructions, answerSchema) }));

export function planPrompts(input: PlanPromptsInput): readonly SpecialistPlan[] {
  const asked = input.specialists.filter(isAsked);
  const { maxCalls } = input;
  return asked.map((specialist, at) => {
    const share = Math.floor(maxCalls / asked.length) + (at < maxCalls % asked.length ? 1 : 0);
    return planOf(specialist, share, input);
  });
}

function planOf({ key, review }: Asked, maxCalls: number, input: PlanPromptsInput): SpecialistPlan {
  const countTokens = input.countTokens ?? estimateTokens;
  const { instructions } = review.prompt;
  const { rules, context = '', codeContext = '', priorFindings = '' } = input;
  const texts = { context, 'code-context': codeContext, 'prior-findings': priorFindings };
  const used = (Object.keys(texts) as (keyof typeof texts)[]).filter(name => texts[name] !== '');
  const budgets = promptBudgets({
    contextTokens: input.contextTokens,
    maxOutputTokens: input.maxOutputTokens,
    systemTokens: countTokens(systemText(instructions, answerSchema)),
    used: rules.length > 0 ? ['rules', ...used] : used,
  });
  const rulesText = rulesSlot(rules, budgets.slots.rules, countTokens);
  const files = input.files.filter(file => review.appliesTo(pathOf(file)));
  const { calls, coverage } = planCalls(files, { tokensPerCall: budgets.slots.diff, maxCalls, countTokens });
  const prompts = calls.map(call => {
    const slots: Record<SlotName, string> = { rules: rulesText.text, ...texts, diff: call.diff };
    const prompt = buildPrompt({ instructions, answerSchema, slots, budgets: budgets.slots, fence: input.fence(), countTokens });
    return { source: key, prompt, paths: [...new Set(call.files.map(file => file.path))], maxOutputTokens: budgets.outputTokens };
  });
  const cut = prompts.flatMap(({ prompt }) => prompt.slots.flatMap(slot => slot.clippedNote ?? []));
  return { source: key, prompts, coverage, notes: [...new Set(rulesText.note === null ? cut : [rulesText.note, ...cut])] };
}
