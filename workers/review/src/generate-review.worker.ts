/**
 * The third stage: reads the change again (REV-12), runs the panel, and in a follow-up round asks first what became of the open findings
 * (REV-21). Every file is read whole, in part or not, and what was cut is named. Running it again in the same attempt pays nothing again.
 */
import type { Change, FileCoverage, ReadingCounts, ReviewFinding, ReviewResult, ReviewWork, RoundRefusalCode } from '@weir/contract';
import type { LocalChange } from '@weir/ports';
import { estimateTokens, priorFindingsSlot, SLOT_BUDGETS } from '@weir/prompt';
import { followUp, type Hash, settleVerdicts } from '@weir/review';
import type { ModelReview } from './ask-model.worker.ts';
import { addUsage } from './call-model.ts';
import { readGate } from './change-gate.ts';
import { forgeChange } from './forge-change.ts';
import { keepAnswers, refusalIn } from './keep-answers.ts';
import { mayShowDiff, priorFindings, type PriorRound, readPriorRound, withoutTexts } from './prior-round.ts';
import type { FeedDiff } from './read-change.ts';
import { reconcile, type Reconciled } from './reconcile.worker.ts';
import { type MadeWith, readRoundContent, type RoundContent, writeRoundContent } from './round-content.ts';
import type { RoundSettings } from './round-settings.ts';
import { askPanel, checkChange, type CheckedChange, concludePanel, nothingToAsk, type Panel, type PanelModel, unasked } from './run-panel.ts';
import { aimOf, instant, type RoundReview, runStage, type StageParts, type StageWork } from './stage.ts';

export interface ModelRefusal {
  readonly refused: RoundRefusalCode;
  /** What was measured, for everybody; may be empty. */
  readonly measurement: string;
}

export interface GenerateParts extends StageParts {
  /** Version of the program, for the report. */
  readonly weir: string;
  readonly feed: FeedDiff;
  /** New random letters and digits for each call, 8 to 64 of them. */
  readonly fence: () => string;
  /** The operator's settings, narrowed by the repository's file as the target branch has it (REV-36, REV-37). */
  readonly settingsFor: (readTarget: NonNullable<LocalChange['readTarget']>) => Promise<RoundSettings>;
  /**
   * The model of this round, asked for right before its first paid call. Null: none is configured. What the gateway throws at a call
   * (CAP_REACHED, MODEL_UNPRICED, CREDENTIALS_EXHAUSTED) refuses the round too.
   */
  readonly modelFor: (review: RoundReview) => Promise<PanelModel | ModelRefusal | null>;
}

type GenerateWork = Extract<ReviewWork, { readonly type: 'GenerateReview' }>;

interface Generation {
  readonly parts: GenerateParts;
  readonly work: StageWork<GenerateWork>;
  readonly review: RoundReview;
  readonly change: Change;
  readonly panel: Panel;
  readonly checked: CheckedChange;
  readonly prior: PriorRound;
  readonly signal: AbortSignal;
}

/** What the model's part of the round came to, or the results that end the stage before it. */
type Asked = { readonly results: readonly ReviewResult[] } | { readonly model: ModelReview; readonly reconciled: Reconciled | null };

export const generateReview = (parts: GenerateParts) =>
  runStage<GenerateWork>(parts, async (work, review, signal): Promise<readonly ReviewResult[]> => {
    const gate = await readGate(parts, work, review, signal);
    if (!gate.open) return gate.results;
    const { change } = gate;
    const source = forgeChange({ review, change, sleep: parts.sleep, signal });
    const settings = await parts.settingsFor(source.readTarget);
    const panel: Panel = { change: source, settings, feed: parts.feed, fence: parts.fence, sleep: parts.sleep };
    const checked = await checkChange(panel, signal);
    const prior = await readPriorRound(review, checked.read.files, settings, signal);
    const generation = { parts, work, review, change, panel, checked, prior, signal };
    const asked = await askUnlessRefused(generation);
    return 'results' in asked ? asked.results : [await concluded(generation, asked)];
  });

/** A "no" of the deployment is an answer, not a failure (REV-31). */
async function askUnlessRefused(generation: Generation): Promise<Asked> {
  try {
    return await ask(generation);
  } catch (error) {
    const refused = refusalIn(error);
    if (refused === undefined) throw error;
    return refuse(generation, { refused, measurement: (error as Error).message });
  }
}

const refuse = ({ parts, work }: Generation, { refused, measurement }: ModelRefusal): Asked => ({
  results: [{ type: 'WorkRefused', ...aimOf(work.fact), at: instant(parts.now()), code: refused, measurement }],
});

const LOCKED = "The model was not asked: the provider's policy does not let code of an author without push access reach a model.";

async function ask(generation: Generation): Promise<Asked> {
  const { parts, review, change, panel, checked, signal } = generation;
  const nothing = nothingToAsk(panel, checked);
  if (nothing !== null) return { model: nothing, reconciled: null };
  if (!(await mayShowDiff(review, change, signal))) return { model: unasked('failed', LOCKED), reconciled: null };
  const model = await parts.modelFor(review);
  if (model === null) return refuse(generation, { refused: 'no_default_model', measurement: '' });
  return 'refused' in model ? refuse(generation, model) : askBoth(generation, model);
}

/** The reconcile call, then the review call; the head is read again before each (REV-6). */
async function askBoth(generation: Generation, model: PanelModel): Promise<Asked> {
  const { parts, work, review, prior, signal } = generation;
  const aim = aimOf(work.fact);
  const known = [...prior.open, ...prior.settled];
  const findings = known.length === 0 ? [] : await priorFindings(parts, review, known, signal);
  let reconciled: Reconciled | null = null;
  if (prior.by !== 'none') {
    const gate = await readGate(parts, work, review, signal);
    if (!gate.open) return gate;
    reconciled = await reconcile({ parts, aim, model, prior, findings: findings.slice(0, prior.open.length) }, signal);
  }
  const gate = await readGate(parts, work, review, signal);
  if (!gate.open) return gate;
  const closed = new Set(reconciled?.answers.filter(({ verdict }) => verdict === 'resolved').map(({ finding }) => finding));
  const excluded = withoutTexts(findings.filter(({ id }) => !closed.has(id)));
  return { model: await askReview(generation, model, priorFindingsSlot(excluded, SLOT_BUDGETS['prior-findings'], estimateTokens)), reconciled };
}

/** Throws the failure of a model that gave no answer at all, so that the pipeline tries again or names it (REV-20). */
async function askReview(
  { parts, work, panel, checked, signal }: Generation,
  model: PanelModel,
  excluded: ReturnType<typeof priorFindingsSlot>,
): Promise<ModelReview> {
  const keeper = keepAnswers(parts, work.fact, 'review');
  const { context } = work.fact;
  const stored = context === null ? undefined : await parts.artifacts.get(context);
  const expired = context !== null && stored === undefined ? ['The gathered context has expired; the model has not seen it.'] : [];
  const extras = { keep: keeper.keep, priorFindings: excluded.text, ...(stored === undefined ? {} : { context: stored.text }) };
  const review = await askPanel(panel, checked, { ...model, ...extras }, signal);
  keeper.throwFailure();
  return { ...review, notes: [...(review.notes ?? []), ...(excluded.note === null ? [] : [`${excluded.note} of the list of what is reported`]), ...expired] };
}

const missingNote = ({ source, reason }: { readonly source: string; readonly reason: string }): string => `Context is missing: ${source}: ${reason}.`;

async function concluded(generation: Generation, { model, reconciled }: Extract<Asked, { readonly model: ModelReview }>): Promise<ReviewResult> {
  const { parts, work, review, panel, checked, prior } = generation;
  const usage = reconciled === null ? model.outcome.usage : addUsage(model.outcome.usage, reconciled.usage);
  const at = instant(parts.now());
  const end = {
    ...{ checked, at, weir: parts.weir, round: work.fact.round, imported: [] },
    model: { ...model, outcome: { ...model.outcome, usage } },
    notes: [...review.round.missing.map(missingNote), ...(reconciled?.notes ?? [])],
    lastNotes: [],
  };
  const answers = reconciled?.answers ?? [];
  const canResolve = review.forge.port.supports('thread.resolve');
  const steps = settleVerdicts({ open: prior.open, answers, touched: prior.touched, canResolve });
  const { report, tracked } = followUp(concludePanel(panel, end, parts.hash), prior.open, steps, prior.settled);
  const aim = aimOf(work.fact);
  const id = `${aim.reviewId}/${aim.round}/${aim.attempt}/report`;
  const made = madeWith(model, parts.hash);
  const kept = await keepContent(parts, { id, reviewId: aim.reviewId }, { report, steps, ...(made === null ? {} : { made }) });
  return {
    type: 'ReviewGenerated',
    ...aim,
    at,
    headline: kept.report.headline,
    complete: kept.report.complete,
    reading: readingOf(kept.report.coverage),
    findings: kept.report.findings.map(coordinatesOf),
    verdicts: kept.steps.map(({ finding, verdict }) => ({ finding, verdict })),
    tracked: tracked.length,
    content: id,
  };
}

function madeWith({ shown }: ModelReview, hash: Hash): MadeWith | null {
  if (shown === undefined) return null;
  return {
    prompts: shown.prompts.map(({ specialist, text }) => ({ specialist, digest: hash(text) })),
    rules: shown.rules.map(({ path, text }) => ({ path, digest: hash(text) })),
  };
}

/** The first content of an attempt stays, and counts: a repeat may have read files anew. */
async function keepContent(
  { artifacts, effect }: StageParts,
  place: { readonly id: string; readonly reviewId: string },
  content: RoundContent,
): Promise<RoundContent> {
  await effect('generate.store', () => artifacts.put({ ...place, kind: 'report', text: writeRoundContent(content), expiresAt: null }));
  return (await readRoundContent(artifacts, place.id)) ?? content;
}

function readingOf(coverage: readonly FileCoverage[]): ReadingCounts {
  const count = (of: (file: FileCoverage) => boolean): number => coverage.filter(of).length;
  return {
    full: count(({ reading }) => reading === 'full'),
    partial: count(({ reading, byRule }) => reading === 'partial' && !byRule),
    skipped: count(({ reading, byRule }) => reading === 'skipped' && !byRule),
    byRule: count(({ reading, byRule }) => reading !== 'full' && byRule),
  };
}

const coordinatesOf = ({ id, rule, path, side, line, endLine, severity, category, fingerprint }: ReviewFinding) => ({
  ...{ id, rule, path, side, line, endLine, severity, category, fingerprint },
});
