/**
 * What people forget before they commit: conflict markers, focused and skipped tests, debug statements, files of editors and merges.
 * Every rule is judged line by line, so a bare diff is as good as a checkout, save for the context of strings and comments.
 */
import type { Finding } from '@weir/contract';
import { type DiffFile, pathOf } from '@weir/diff';
import { addedLines, type CheckContext, type CheckResult, findingOf, type PartialReading, type Specialist } from '@weir/specialist-kit';
import { changedRuns } from './changed-text.ts';
import { codeFindings, mayHoldLeftover } from './code-findings.ts';
import { conflictFindings } from './conflict-findings.ts';
import { mergeArtifact } from './merge-artifact.ts';
import { RULES } from './rules.ts';

/** Findings of one file; what lies beyond is counted, and one remark more says nothing new. */
const MAX_FINDINGS_PER_FILE = 200;

const CONFLICT_HINT = /^(?:<{7}|={7}|>{7}|\|{7})/;

function artifactFinding(file: DiffFile): readonly Finding[] {
  const isNew = file.kind === 'added' || file.kind === 'copied' || file.kind === 'renamed';
  const what = isNew ? mergeArtifact(pathOf(file)) : null;
  return what === null ? [] : [findingOf(RULES.mergeArtifact, file, { line: 0, message: `The name says that this is ${what}.` })];
}

function mayHoldConflict(file: DiffFile): boolean {
  for (const line of addedLines(file)) if (CONFLICT_HINT.test(line.text)) return true;
  return false;
}

async function findingsOf(file: DiffFile, context: CheckContext): Promise<readonly Finding[]> {
  if (file.kind === 'deleted' || file.submodule) return [];
  const byName = artifactFinding(file);
  const conflict = mayHoldConflict(file);
  if (file.binary || !(conflict || mayHoldLeftover(file))) return byName;
  const runs = await changedRuns(file, context.readHead);
  const conflicts = conflict ? conflictFindings(file, runs) : [];
  return [...byName, ...conflicts, ...codeFindings(file, runs)];
}

async function check(context: CheckContext): Promise<CheckResult> {
  const findings: Finding[] = [];
  const partial: PartialReading[] = [];
  for (const file of context.files) {
    if (context.signal.aborted) partial.push({ path: pathOf(file), reason: 'the check for leftovers was stopped before this file' });
    else {
      const found = await findingsOf(file, context);
      findings.push(...found.slice(0, MAX_FINDINGS_PER_FILE));
      if (found.length > MAX_FINDINGS_PER_FILE)
        partial.push({ path: pathOf(file), reason: `${found.length} leftovers; the first ${MAX_FINDINGS_PER_FILE} are listed` });
    }
  }
  return { findings, partial };
}

export const specialist: Specialist = {
  key: 'leftovers',
  title: 'Leftovers',
  routingHint: 'Conflict markers, focused or skipped tests, debug statements and stray files that a change leaves behind.',
  review: {
    dimensions: ['merge leftovers'],
    // Conflict markers can stand in any text file.
    appliesTo: () => true,
    rules: Object.values(RULES),
    check,
  },
};
