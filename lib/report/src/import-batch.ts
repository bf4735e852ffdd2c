/**
 * Collects the findings of one imported file: each is located, built and counted, or counted as dropped.
 */
import type { Finding } from '@weir/contract';
import { type Dropped, newTally, type Tally } from './import-tally.ts';
import { type Imported, importedFinding, toolId } from './imported-finding.ts';
import type { Located } from './repository-path.ts';

/** Findings that one file may bring (REV-20b). */
export const MAX_IMPORTED_FINDINGS = 50_000;

export interface ImportedReport {
  readonly findings: readonly Finding[];
  /** Names of the tools as they stand in the rule ids, sorted; without those that brought no finding. */
  readonly tools: readonly string[];
  readonly dropped: readonly Dropped[];
}

export interface ImportBatch {
  readonly tally: Tally;
  readonly add: (located: Located, found: Omit<Imported, 'path'>) => void;
  readonly report: () => ImportedReport;
}

export function newBatch(): ImportBatch {
  const tally = newTally();
  const findings: Finding[] = [];
  const tools = new Set<string>();
  const add = (located: Located, found: Omit<Imported, 'path'>) => {
    if ('drop' in located) return tally.drop(located.drop);
    if (findings.length === MAX_IMPORTED_FINDINGS) return tally.drop('the limit of imported findings is reached');
    const finding = importedFinding({ ...found, path: located.path });
    if (finding === undefined) return tally.drop('it has no message');
    tools.add(toolId(found.tool));
    findings.push(finding);
  };
  return { tally, add, report: () => ({ findings, tools: [...tools].sort(), dropped: tally.dropped() }) };
}
