/**
 * One round over one local change: read it, run the checks, ask the model, add imported findings, conclude.
 * The only place where the workers' results and the policies of core/ meet.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding, ModelOutcome, ReviewReport } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { LocalChange } from '@weir/ports';
import { importReport } from '@weir/report';
import { concludeReview, type Hash } from '@weir/review';
import { askModel, type ModelReview, runChecks } from '@weir/review-workers';
import { WEIR_VERSION } from '../version.ts';
import type { LoadedSettings } from './load-settings.ts';
import { NOT_CONFIGURED, openModel } from './open-model.ts';
import { planInput } from './plan-input.ts';
import { type ReadChange, readChange } from './read-change.ts';
import { loadSpecialists, rulesOf } from './specialists.ts';

export interface RoundInput {
  readonly change: LocalChange;
  readonly settings: LoadedSettings;
  /** Files of findings of other tools (REV-20b). */
  readonly imports: readonly string[];
  /** Top folder, for absolute paths in imported reports. */
  readonly root: string;
  readonly notes: readonly string[];
  readonly onProgress: (text: string) => void;
}

/** Bytes of an imported report. */
const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

const sha256: Hash = text => createHash('sha256').update(text, 'utf8').digest('hex');

const unasked = (state: ModelOutcome['state'], note: string): ModelReview => ({
  findings: [],
  coverage: [],
  outcome: { state, model: null, usage: { calls: 0, inputTokens: 0, outputTokens: 0 }, failure: null, note },
});

async function reviewWithModel(input: RoundInput, read: ReadChange, signal: AbortSignal): Promise<ModelReview> {
  const { settings, change, onProgress } = input;
  const model = await openModel(settings);
  if (model === null) return unasked('not_configured', NOT_CONFIGURED);
  try {
    const plan = await planInput(change, settings, read.reviewed);
    if (plan.specialists.length === 0) return unasked('not_needed', 'No chosen specialist asks a model.');
    if (read.reviewed.length === 0) return unasked('not_needed', 'No file is left for a model to read.');
    return await askModel({
      ...plan,
      model: model.port,
      modelName: model.name,
      sleep: (ms, abort) => sleep(ms, undefined, { signal: abort }),
      onProgress,
      signal,
    });
  } finally {
    await model.close();
  }
}

interface Imported {
  readonly findings: readonly { readonly finding: Finding; readonly source: string }[];
  readonly notes: readonly string[];
}

/** Reads other tools' findings; those off the diff are filtered when the round is concluded. */
async function readImports({ imports, root }: RoundInput): Promise<Imported> {
  const findings: { finding: Finding; source: string }[] = [];
  const notes: string[] = [];
  for (const file of imports) {
    const bytes = await readFile(file).catch((cause: unknown) => {
      throw new AppError('FILE_UNREADABLE', `${file} cannot be read`, { cause });
    });
    if (bytes.length > MAX_IMPORT_BYTES) throw new AppError('INPUT_TOO_LARGE', `${file} is larger than ${MAX_IMPORT_BYTES} bytes`);
    const imported = importReport(bytes.toString('utf8'), file, { root });
    findings.push(...imported.findings.map(finding => ({ finding, source: finding.rule.split('/')[0] ?? file })));
    for (const { reason, count } of imported.dropped) notes.push(`${file}: ${count} left out: ${reason}.`);
  }
  return { findings, notes };
}

/** Runs the round. Throws AppError for bad input and for an aborted signal its reason; a failing model is part of the report. */
export async function reviewChange(input: RoundInput, signal: AbortSignal): Promise<ReviewReport> {
  const { change, settings, onProgress } = input;
  onProgress(`reading ${change.label}`);
  const [read, specialists] = await Promise.all([readChange(change, settings, signal), loadSpecialists(settings.get<readonly string[]>('review.specialists'))]);
  const imported = await readImports(input);
  onProgress(`checking ${read.reviewed.length} files`);
  const context = {
    files: read.reviewed,
    signal,
    ...(change.readHead ? { readHead: change.readHead } : {}),
    ...(change.readBase ? { readBase: change.readBase } : {}),
  };
  const checks = await runChecks({ specialists, context });
  signal.throwIfAborted();
  const model = await reviewWithModel(input, read, signal);
  return concludeReview(
    {
      weir: WEIR_VERSION,
      at: new Date().toISOString(),
      round: 1,
      change: { kind: change.kind, base: change.base, head: change.head, addedLines: read.addedLines, removedLines: read.removedLines },
      files: read.files,
      ignored: read.ignored,
      findings: [...checks.findings, ...model.findings],
      imported: imported.findings,
      lost: change.warnings?.() ?? [],
      partial: checks.partial,
      specialists: checks.runs,
      model,
      rules: rulesOf(specialists),
      maxFindings: settings.get<number>('review.maxFindings'),
      notes: [...input.notes, ...read.notes, ...settings.resolved.refused, ...imported.notes, ...(model.notes ?? [])],
    },
    sha256,
  );
}
