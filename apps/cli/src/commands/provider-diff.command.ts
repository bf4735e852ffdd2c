/** `weir provider diff`: what a bump of a provider's description takes away from what Weir calls there (PRV-7). */
import path from 'node:path';
import { EXIT, type ExitCode } from '@weir/contract';
import type { OperationTable } from '@weir/operation-table';
import { type BreakingChange, structuralDiff } from '@weir/provider-compiler';
import { boundOperations } from '@weir/provider-descriptor';
import { writeJson, writeOut } from '../output.ts';
import { labelOf, openTable, supplementedLabels } from '../provider/open-table.ts';
import { loadProvider } from '../provider/provider-files.ts';

export interface DiffRequest {
  readonly provider: string;
  readonly from: string;
  /** The provider's own table, where it is not given. */
  readonly to: string | undefined;
  /** The whole surface, not the bound operations alone. */
  readonly all: boolean;
  readonly json: boolean;
}

/** A side as it was named, with the version that it calls itself: two descriptions may call themselves alike. */
const sideText = (named: string, { apiVersion }: OperationTable): string => `${path.basename(named)} (${apiVersion})`;

/** Exit code 1 when something breaks; 0 is a safe bump. */
export async function runProviderDiff({ provider: name, from, to = name, all, json }: DiffRequest): Promise<ExitCode> {
  const provider = await loadProvider(name);
  const [before, after] = [await openTable(provider, from), await openTable(provider, to)];
  const bound = boundOperations(provider.descriptor, before);
  const supplemented = await supplementedLabels(provider);
  const whole = structuralDiff(before, after);
  const { breaking, compared } = all ? whole : structuralDiff(before, after, { bound: new Set(bound.keys()) });
  const changes = breaking.map(change => ({
    ...change,
    boundBy: bound.get(change.id) ?? [],
    supplemented: change.kind === 'operation-gone' && supplemented.has(labelOf(change)),
  }));
  const elsewhere = whole.breaking.length - breaking.length;
  if (json) await writeJson({ provider: name, from: sideOf(before), to: sideOf(after), compared, breaking: changes, elsewhere, added: whole.added });
  else {
    const scope = all ? 'operations' : 'bound operations';
    await writeOut(`${name}: ${changes.length} breaking changes in ${compared} ${scope}, from ${sideText(from, before)} to ${sideText(to, after)}\n`);
    for (const change of changes) await writeOut(lineOf(change));
    await writeOut(
      `${all ? '' : `${elsewhere} breaking changes in operations that nothing binds (--all lists them); `}${whole.added.length} operations added\n`,
    );
  }
  return changes.length > 0 ? EXIT.findings : EXIT.clean;
}

const sideOf = ({ apiVersion, specDigest }: { readonly apiVersion: string; readonly specDigest: string }) => ({ apiVersion, specDigest });

function lineOf(change: BreakingChange & { readonly boundBy: readonly string[]; readonly supplemented: boolean }): string {
  const what = change.name === '' ? change.detail : `${change.name}: ${change.detail}`;
  const ours = change.supplemented ? '; the supplement describes it' : '';
  const by = change.boundBy.length === 0 ? '' : `  [${change.boundBy.join(', ')}]`;
  return `  ${change.kind.padEnd(18)} ${labelOf(change)}  ${what}${ours}${by}\n`;
}
