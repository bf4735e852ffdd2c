/**
 * The check of this specialist: judges each CI file of a change as the change leaves it, and keeps what a touched line takes part in.
 * What could not be judged whole is reported as partially read (REV-14, REV-16b).
 */
import type { Finding } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { addedLines, type CheckContext, type CheckResult, type PartialReading, touchedLines } from '@weir/specialist-kit';
import { type CiFile, ciFileOf } from './ci-file.ts';
import { lineRisks, type SeenLine } from './line-risks.ts';
import { movedLines } from './moved-lines.ts';
import { pipelineRisks } from './pipeline-risks.ts';
import { findingsOf, type Risk } from './risk.ts';
import { rules } from './rules.ts';
import { type Judgement, workflowRisks } from './workflow-risks.ts';
import { readYaml } from './yaml-tree.ts';

/** Both CI systems refuse larger files; a real one has a few thousand characters. */
const MAX_CHARACTERS = 524_288;

/** Findings of one file; what lies beyond is counted, and one remark more says nothing new. */
const MAX_FINDINGS_PER_FILE = 200;

const NOT_WHOLE = 'the whole workflow is not in the diff: triggers, env and permissions outside the hunks were not read';

/** Lines of the new side that the diff shows. */
const seenLines = (file: DiffFile): readonly SeenLine[] =>
  file.hunks.flatMap(hunk => hunk.lines.flatMap(({ kind, new: number, text }) => (kind === 'removed' || number === null ? [] : [{ number, text }])));

const textOfAdded = (file: DiffFile): string | undefined => {
  const whole = file.kind === 'added' && file.problem === null && file.hunks.length === 1;
  return whole ? [...addedLines(file)].map(line => line.text).join('\n') : undefined;
};

const linesOf = (text: string): readonly SeenLine[] => text.split('\n').map((line, index) => ({ number: index + 1, text: line }));

const judge = (text: string, kind: CiFile): Judgement => {
  const reading = readYaml(text);
  if ('problem' in reading) return { risks: lineRisks(linesOf(text), kind), gap: `it could not be read as YAML: ${reading.problem}` };
  if (kind === 'pipeline') return { risks: reading.documents.flatMap(pipelineRisks) };
  const [root] = reading.documents;
  return root === undefined ? { risks: [] } : workflowRisks(root, kind);
};

const judgeFile = (file: DiffFile, text: string | undefined, kind: CiFile): Judgement => {
  if (text === undefined) return { risks: lineRisks(seenLines(file), kind), gap: NOT_WHOLE };
  if (text.length > MAX_CHARACTERS)
    return { risks: lineRisks(seenLines(file), kind), gap: `it has more than ${MAX_CHARACTERS} characters, so only its touched lines were judged` };
  return judge(text, kind);
};

const isRead = (file: DiffFile): boolean => file.newPath !== null && file.kind !== 'deleted' && !file.binary && !file.submodule && file.hunks.length > 0;

const findingsOfFile = (file: DiffFile, risks: readonly Risk[]): readonly Finding[] => {
  const seen = new Map(seenLines(file).map(({ number, text }) => [number, text]));
  const moved = movedLines(file);
  const isNew = ({ rule, sink }: Risk): boolean => rule !== rules.unpinnedAction || !moved.has(sink.line);
  return findingsOf(file, risks.filter(isNew), touchedLines(file), line => seen.get(line) ?? null);
};

/** Never throws on any content. Stops between two files when the signal is aborted, and says which ones it did not reach. */
export const check = async (context: CheckContext): Promise<CheckResult> => {
  const findings: Finding[] = [];
  const partial: PartialReading[] = [];
  for (const file of context.files) {
    const path = pathOf(file);
    const kind = ciFileOf(path);
    if (kind === undefined || !isRead(file)) continue;
    if (context.signal.aborted) {
      partial.push({ path, reason: 'the review was stopped before this file was judged' });
      continue;
    }
    const text = (await context.readHead?.(path)) ?? textOfAdded(file);
    const { risks, gap } = judgeFile(file, text, kind);
    const found = findingsOfFile(file, risks);
    findings.push(...found.slice(0, MAX_FINDINGS_PER_FILE));
    if (found.length > MAX_FINDINGS_PER_FILE) partial.push({ path, reason: `${found.length} risks; the first ${MAX_FINDINGS_PER_FILE} are listed` });
    if (gap !== undefined) partial.push({ path, reason: gap });
  }
  return { findings, partial };
};
