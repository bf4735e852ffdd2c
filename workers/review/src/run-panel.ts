/**
 * The panel: reads a change, runs the checks of the specialists, asks the model, concludes. One for a change on this machine and for one
 * on a forge, in steps, since a forge has questions of its own between them.
 */
import type { ModelOutcome, ReviewReport } from '@weir/contract';
import type { ModelPort } from '@weir/ports';
import { concludeReview, type Hash, type RoundFacts } from '@weir/review';
import type { Rule, Specialist } from '@weir/specialist-kit';
import { askModel, type AskModelInput, type KeepAnswer, type ModelReview } from './ask-model.worker.ts';
import { fixedTexts, type PlanPromptsInput } from './plan-prompts.ts';
import { type FeedDiff, type PanelChange, readChange, type ReadChange } from './read-change.ts';
import { readRules } from './read-rules.ts';
import type { ModelLimits, RoundSettings } from './round-settings.ts';
import { type ChecksDone, runChecks } from './run-checks.worker.ts';

export interface Panel {
  readonly change: PanelChange;
  readonly settings: RoundSettings;
  readonly feed: FeedDiff;
  /** New random letters and digits for each call of a model. */
  readonly fence: () => string;
  readonly sleep: AskModelInput['sleep'];
  /** One short line for a progress display. */
  readonly onProgress?: (text: string) => void;
}

export interface PanelModel {
  /** As the settings name it. */
  readonly name: string;
  readonly port: ModelPort;
  readonly limits: ModelLimits;
}

export interface CheckedChange {
  readonly read: ReadChange;
  readonly checks: ChecksDone;
}

const isAsked = ({ review }: Specialist): boolean => review?.prompt !== undefined;

/** A review that no model took part in. */
export const unasked = (state: ModelOutcome['state'], note: string): ModelReview => ({
  findings: [],
  coverage: [],
  outcome: { state, model: null, usage: { calls: 0, inputTokens: 0, outputTokens: 0 }, failure: null, note },
});

/** Throws AppError for what cannot be read; a check that fails is part of the result. */
export async function checkChange(panel: Panel, signal: AbortSignal): Promise<CheckedChange> {
  const { change, settings, onProgress } = panel;
  onProgress?.(`reading ${change.label}`);
  const read = await readChange(panel, signal);
  onProgress?.(`checking ${read.reviewed.length} files`);
  const context = {
    files: read.reviewed,
    signal,
    ...(change.readHead ? { readHead: change.readHead } : {}),
    ...(change.readBase ? { readBase: change.readBase } : {}),
  };
  const checks = await runChecks({ specialists: settings.specialists, context });
  signal.throwIfAborted();
  return { read, checks };
}

/** Why no model is asked about a change, as its part of the review; null when one has to be. */
export function nothingToAsk({ settings }: Pick<Panel, 'settings'>, { read }: Pick<CheckedChange, 'read'>): ModelReview | null {
  if (!settings.specialists.some(isAsked)) return unasked('not_needed', 'No chosen specialist asks a model.');
  return read.reviewed.length === 0 ? unasked('not_needed', 'No file is left for a model to read.') : null;
}

/** What the prompts of a change are planned from; the same for a review and for `weir debug prompt`. */
export async function promptInput(
  { change, settings, fence }: Pick<Panel, 'change' | 'settings' | 'fence'>,
  read: Pick<ReadChange, 'reviewed'>,
  limits: ModelLimits,
): Promise<PlanPromptsInput> {
  const rules = await readRules(change, settings.rulesFiles);
  return { specialists: settings.specialists.filter(isAsked), files: read.reviewed, rules, ...limits, fence };
}

/** What else the model is shown, and what becomes of its answers. */
export interface AskExtras {
  readonly context?: string;
  readonly priorFindings?: string;
  readonly keep?: KeepAnswer;
}

/** Rejects only when the signal is aborted and for rules that cannot be read; failures of the model are part of the result. */
export async function askPanel(panel: Panel, checked: CheckedChange, model: PanelModel & AskExtras, signal: AbortSignal): Promise<ModelReview> {
  const { context, priorFindings, keep, port, name, limits } = model;
  const { sleep, onProgress } = panel;
  const input = await promptInput(panel, checked.read, limits);
  const review = await askModel({
    ...input,
    ...(context === undefined ? {} : { context }),
    ...(priorFindings === undefined ? {} : { priorFindings }),
    ...(keep === undefined ? {} : { keep }),
    ...(onProgress === undefined ? {} : { onProgress }),
    model: port,
    modelName: name,
    sleep,
    signal,
  });
  return { ...review, shown: { prompts: fixedTexts(input.specialists), rules: input.rules } };
}

export interface PanelEnd {
  readonly checked: CheckedChange;
  readonly model: ModelReview;
  readonly weir: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly round: number;
  readonly imported: RoundFacts['imported'];
  /** Before those of the settings and of the change. */
  readonly notes: readonly string[];
  /** After them. */
  readonly lastNotes: readonly string[];
}

const rulesOf = (specialists: readonly Specialist[]): readonly Rule[] => specialists.flatMap(({ review }) => review?.rules ?? []);

export function concludePanel({ change, settings }: Pick<Panel, 'change' | 'settings'>, end: PanelEnd, hash: Hash): ReviewReport {
  const { checked, model, weir, at, round, imported } = end;
  const { read, checks } = checked;
  const facts: RoundFacts = {
    ...{ weir, at, round, imported, model },
    change: { kind: change.kind, base: change.base, head: change.head, addedLines: read.addedLines, removedLines: read.removedLines },
    files: read.files,
    ignored: read.ignored,
    findings: [...checks.findings, ...model.findings],
    lost: change.warnings?.() ?? [],
    partial: checks.partial,
    specialists: checks.runs,
    rules: rulesOf(settings.specialists),
    maxFindings: settings.maxFindings,
    notes: [...end.notes, ...read.notes, ...settings.refused, ...end.lastNotes, ...(model.notes ?? [])],
  };
  return concludeReview(facts, hash);
}
