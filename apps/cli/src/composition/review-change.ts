/**
 * One round over one local change: the panel of the workers, with a model of the settings and the findings of other tools.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding, ReviewReport } from '@weir/contract';
import { AppError } from '@weir/kernel';
import type { LocalChange } from '@weir/ports';
import { importReport } from '@weir/report';
import type { Hash } from '@weir/review';
import { askPanel, type CheckedChange, checkChange, concludePanel, type ModelReview, nothingToAsk, type Panel, unasked } from '@weir/review-workers';
import { feedDiff } from '../read-diff.ts';
import { WEIR_VERSION } from '../version.ts';
import type { LoadedSettings } from './load-settings.ts';
import { newFence } from './new-fence.ts';
import { NOT_CONFIGURED, openModel } from './open-model.ts';
import { modelLimits, roundSettings } from './round-settings.ts';

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

async function reviewWithModel(panel: Panel, checked: CheckedChange, settings: LoadedSettings, signal: AbortSignal): Promise<ModelReview> {
  const model = await openModel(settings);
  if (model === null) return unasked('not_configured', NOT_CONFIGURED);
  try {
    return nothingToAsk(panel, checked) ?? (await askPanel(panel, checked, { ...model, limits: modelLimits(settings) }, signal));
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
  const panel: Panel = {
    change,
    settings: await roundSettings(settings),
    feed: feedDiff,
    fence: newFence,
    sleep: (ms, abort) => sleep(ms, undefined, { signal: abort }),
    onProgress,
  };
  const imported = await readImports(input);
  const checked = await checkChange(panel, signal);
  const model = await reviewWithModel(panel, checked, settings, signal);
  const at = new Date().toISOString();
  const notes = { notes: input.notes, lastNotes: imported.notes };
  return concludePanel(panel, { checked, model, weir: WEIR_VERSION, at, round: 1, imported: imported.findings, ...notes }, sha256);
}
