/**
 * The first of the two calls of a follow-up round: what became of the findings that are open (REV-21, REV-22). Its answer is kept apart
 * from those of the review call.
 */
import type { ModelUsage } from '@weir/contract';
import { pathOf } from '@weir/diff';
import { readVerdicts, verdictSchema } from '@weir/model-answer';
import { estimateTokens, type PriorFinding, reconcilePrompt, type ReconcilePrompt } from '@weir/prompt';
import type { Answered } from '@weir/review';
import { callModel, sumUsage } from './call-model.ts';
import { keepAnswers } from './keep-answers.ts';
import type { PriorRound } from './prior-round.ts';
import type { PanelModel } from './run-panel.ts';
import { type Aim, aimOf, type StageParts } from './stage.ts';

export interface ReconcileInput {
  readonly parts: StageParts & { readonly fence: () => string };
  readonly aim: Aim;
  readonly model: PanelModel;
  readonly prior: PriorRound;
  readonly findings: readonly PriorFinding[];
}

export interface Reconciled {
  readonly answers: readonly Answered[];
  readonly usage: ModelUsage;
  /** What was cut, ignored or not answered, in sentences (REV-14). */
  readonly notes: readonly string[];
}

/** Throws the failure of the model's port; an answer that cannot be read leaves the findings unchanged and is named. */
export async function reconcile({ parts, aim, model, prior, findings }: ReconcileInput, signal: AbortSignal): Promise<Reconciled> {
  const asked = reconcilePrompt({
    findings,
    files: prior.files,
    shown: prior.touched === null ? 'whole' : 'since',
    answerSchema: verdictSchema,
    ...model.limits,
    fence: parts.fence(),
    countTokens: estimateTokens,
  });
  if (asked.asked.length === 0) return { answers: [], usage: sumUsage([]), notes: asked.notes };
  const keeper = keepAnswers(parts, aimOf(aim), 'reconcile');
  const { system, user } = asked.prompt;
  const request = { system, user, maxOutputTokens: asked.maxOutputTokens, answerSchema: { name: 'verdicts', schema: verdictSchema } };
  const port = { complete: (one: typeof request, abort: AbortSignal) => keeper.keep(0, asked.prompt, () => model.port.complete(one, abort)) };
  const called = await callModel({ model: port, request, sleep: parts.sleep }, signal);
  keeper.throwFailure();
  if (called.answer === null) throw new Error(`A call about earlier findings failed without a reason: ${called.failure}`);
  const reading = readVerdicts(called.answer.text, { finish: called.answer.finish, findings: asked.asked });
  const answers = reading.verdicts.filter(answer => answer.verdict !== 'resolved' || wasShown(answer.finding, prior, asked));
  return { answers, usage: called.usage, notes: [...asked.notes, ...notesOf(reading.verdicts.length, reading.ignored, answers.length, asked.asked.length)] };
}

/** Nobody can say that something is resolved in a file that was not shown whole. */
function wasShown(id: string, { open, files }: PriorRound, { coverage }: ReconcilePrompt): boolean {
  const path = open.find(row => row.id === id)?.path;
  const isChanged = files.some(file => pathOf(file) === path);
  const row = coverage.find(one => one.path === path);
  return !isChanged || row?.reading === 'full' || row?.byRule === true;
}

function notesOf(given: number, ignored: number, counted: number, asked: number): readonly string[] {
  const notes: string[] = [];
  if (given < asked) notes.push(`Of ${asked} earlier findings ${asked - given} got no verdict and stay as they are.`);
  if (ignored > 0) notes.push(`${ignored} parts of the answer about earlier findings are no known verdict or finding, and are ignored.`);
  if (counted < given) notes.push(`${given - counted} earlier findings were called resolved in files that were not read whole, and stay open.`);
  return notes;
}
