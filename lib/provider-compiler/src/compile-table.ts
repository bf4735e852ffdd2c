/**
 * Compiles a published description into an operation table (PRV-2a, PRV-3, PRV-4). Pure: text or parsed JSON in, rows or problems
 * out; the same input gives the same table, whatever the order of its members.
 */
import { MAX_OPERATIONS, type OperationGap, type OperationRow, type OperationTable } from '@weir/operation-table';
import { applyOverlay } from './apply-overlay.ts';
import { type CompileNote, type CompileProblem, MAX_PROBLEMS } from './compile-problem.ts';
import { compileRow } from './compile-row.ts';
import { fillTemplate } from './fill-template.ts';
import { asString, compareText, type JsonObject } from './json-value.ts';
import { type Description, openDescription, type SpecFormat } from './open-description.ts';
import { assignIds, byId } from './operation-id.ts';
import type { OperationReading, PublishedOperation } from './operation-reading.ts';
import type { PaginationDefault } from './pagination-hint.ts';
import { pruneDescription } from './prune-description.ts';
import { listOperations } from './published-operations.ts';
import { createReferenceGraph, partsOf, type ReferenceGraph } from './reference-graph.ts';
import { type Selection, selectOperations } from './select-operations.ts';
import { NO_SLASHES, type SlashNames } from './slash-style.ts';

/** Goes into every table; raised whenever the same input gives another table. */
export const COMPILER_VERSION = '2';

export interface CompileInput {
  readonly provider: string;
  readonly apiVersion: string;
  readonly format: SpecFormat;
  /** `sha256:<hex>` of the description's bytes. */
  readonly specDigest: string;
  /** JSON text, or the value that a YAML parser made of the text (after `fillTemplate`). */
  readonly source: { readonly text: string } | { readonly value: unknown };
  /** Values of Go-template placeholders in the text. */
  readonly templateValues?: Readonly<Record<string, string>>;
  /** JSON Patch entries, each with a reason. */
  readonly overlay?: unknown;
  /** Parsed descriptions written by ourselves; their operations are added. */
  readonly supplements?: readonly { readonly format: SpecFormat; readonly value: unknown }[];
  readonly selection: Selection;
  readonly pagination: PaginationDefault;
  /** `path`: ids are made from method and path, since the vendor's move from version to version. */
  readonly keyBy?: 'id' | 'path';
  /** Path parameters whose values may hold slashes, where the description does not say so. */
  readonly slash?: SlashNames;
  /** What an operation is that can't be compiled: a failure of the compile, or a gap of the table. */
  readonly onUnsupported?: 'fail' | 'gap';
}

export interface CompiledTable {
  readonly ok: true;
  readonly table: OperationTable;
  readonly notes: readonly CompileNote[];
  /** The part of the description that the table was made from, without prose; gives the same table again. */
  readonly prune: () => JsonObject;
}

export type CompileResult = CompiledTable | { readonly ok: false; readonly problems: readonly CompileProblem[] };

const failed = (problems: readonly CompileProblem[]): CompileResult => ({ ok: false, problems: problems.slice(0, MAX_PROBLEMS) });

/** The table, or every problem with operation, place, reason and mend. Never throws. */
export function compileTable(input: CompileInput): CompileResult {
  const value = readSource(input);
  if ('problems' in value) return failed(value.problems);
  const overlaid = input.overlay === undefined ? { value: value.value, problems: [] } : applyOverlay(value.value, input.overlay);
  if (overlaid.problems.length > 0) return failed(overlaid.problems);
  const main = openDescription(overlaid.value, input.format);
  if ('reason' in main) return failed([main]);
  const supplements = (input.supplements ?? []).map(({ format, value: supplement }) => openDescription(supplement, format));
  const broken = supplements.filter(one => 'reason' in one);
  if (broken.length > 0) return failed(broken);
  return compileDescriptions(input, [main, ...supplements.filter(one => 'root' in one)]);
}

function readSource({ source, templateValues }: CompileInput): { readonly value: unknown } | { readonly problems: readonly CompileProblem[] } {
  if ('value' in source) return { value: source.value };
  const { text, problems } = fillTemplate(source.text, templateValues);
  if (problems.length > 0) return { problems };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = `the description is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`;
    return { problems: [{ operation: '', place: '', reason, mend: 'pin the right file; a YAML description is parsed before it is compiled' }] };
  }
}

interface Entry {
  readonly id: string;
  readonly published: PublishedOperation;
  readonly description: Description;
}

function compileDescriptions(input: CompileInput, descriptions: readonly [Description, ...Description[]]): CompileResult {
  const { entries, problems } = listAll(input, descriptions);
  const selected = selectOperations(entries, input.selection);
  const faults = [...problems, ...baseFaults(descriptions), ...selected.problems, ...clashes(selected.taken)];
  if (faults.length > 0) return failed(faults);
  if (selected.taken.length === 0 || selected.taken.length > MAX_OPERATIONS) return failed([sizeProblem(selected.taken.length)]);
  const compiled = compileRows(input, selected.taken);
  if (compiled.problems.length > 0 && input.onUnsupported !== 'gap') return failed([...compiled.problems].sort(byPlace));
  const [main] = descriptions;
  const stale = selected.stale.map(
    (name): CompileNote => ({ operation: '', place: 'operations/exclude', note: `"${name}" names no operation of the description` }),
  );
  return {
    ok: true,
    table: tableOf(input, main, compiled.rows, [...gapsOf(compiled.problems), ...notSelected(descriptions, selected.left)].sort(byPath)),
    notes: [...stale, ...compiled.notes],
    prune: () => {
      const taken = selected.taken.filter(entry => entry.description === main);
      const left = selected.left.filter(entry => entry.description === main);
      return pruneDescription(main, taken, [...main.leftOut, ...left.map(entry => entry.published.label)]);
    },
  };
}

/** Every operation of every description with its id, by path and method. */
function listAll(
  { keyBy }: CompileInput,
  descriptions: readonly Description[],
): { readonly entries: readonly Entry[]; readonly problems: readonly CompileProblem[] } {
  const listings = descriptions.map(description => ({ description, ...listOperations(description) }));
  const operations = listings.flatMap(({ description, operations: some }) => some.map(published => ({ description, published })));
  const identifiable = operations.map(({ published }) => ({
    method: published.method,
    path: published.template.path,
    vendorId: asString(published.operation['operationId']),
  }));
  // A pruned description carries the final ids.
  const ids = assignIds(identifiable, keyBy === 'path' && !descriptions.some(description => description.pruned));
  return { entries: operations.map((one, index) => ({ ...one, id: ids[index] ?? '' })), problems: listings.flatMap(listing => listing.problems) };
}

function baseFaults(descriptions: readonly Description[]): readonly CompileProblem[] {
  const [main, ...others] = descriptions;
  return others
    .filter(other => other.basePath !== '' && other.basePath !== main?.basePath)
    .map(other => ({
      operation: '',
      place: '/servers',
      reason: `a supplement has the base path ${other.basePath}, the description ${main?.basePath ?? ''}`,
      mend: 'write the supplement for the same base path',
    }));
}

/** Two operations of one method and path, or of one id. */
function clashes(entries: readonly Entry[]): readonly CompileProblem[] {
  const seen = new Set<string>();
  const found: CompileProblem[] = [];
  for (const { id, published } of entries) {
    for (const key of [published.label, id]) {
      if (seen.has(key))
        found.push({
          operation: published.label,
          place: published.place,
          reason: `${key} is there twice`,
          mend: 'remove one with an overlay entry, or from the supplement',
        });
      seen.add(key);
    }
  }
  return found;
}

const sizeProblem = (count: number): CompileProblem => ({
  operation: '',
  place: '/paths',
  reason: count === 0 ? 'no operation is selected' : `${count} operations are selected, more than ${MAX_OPERATIONS}`,
  mend: 'change operations.include, include_categories or exclude of the descriptor',
});

interface CompiledRows {
  readonly rows: readonly OperationRow[];
  readonly problems: readonly CompileProblem[];
  readonly notes: readonly CompileNote[];
}

function compileRows({ pagination, slash = NO_SLASHES }: CompileInput, entries: readonly Entry[]): CompiledRows {
  const graphs = faultyGraphs(entries);
  const rows: OperationRow[] = [];
  const problems: CompileProblem[] = [];
  const notes: CompileNote[] = [];
  for (const { id, published, description } of entries) {
    const reading: OperationReading = { description, published, problems: [], notes: [] };
    const row = compileRow(reading, id, { graph: graphs.get(description), pagination, slash });
    if (row === undefined) problems.push(...reading.problems);
    else rows.push(row);
    notes.push(...reading.notes);
  }
  return { rows: rows.sort(byId), problems, notes };
}

/** One walk over everything that is selected; only where it meets a fault are the operations walked one by one, to name them. */
function faultyGraphs(entries: readonly Entry[]): ReadonlyMap<Description, ReferenceGraph> {
  const descriptions = [...new Set(entries.map(entry => entry.description))];
  const graphs = descriptions.map(description => [description, createReferenceGraph(description)] as const);
  const partsIn = (description: Description) => entries.filter(entry => entry.description === description).flatMap(({ published }) => partsOf(published));
  return new Map(graphs.filter(([description, graph]) => graph.reach(partsIn(description)).faults.length > 0));
}

const byPlace = (left: CompileProblem, right: CompileProblem): number =>
  compareText(left.operation, right.operation) || compareText(left.place, right.place) || compareText(left.reason, right.reason);

/** One gap for each refused operation, with its first reason. */
function gapsOf(problems: readonly CompileProblem[]): readonly OperationGap[] {
  const first = new Map<string, OperationGap>();
  for (const { operation, reason } of [...problems].sort(byPlace)) {
    const [method = '', path = operation] = operation.split(' ');
    if (!first.has(operation)) first.set(operation, { method, path, reason });
  }
  return [...first.values()];
}

const byPath = (left: OperationGap, right: OperationGap): number => compareText(left.path, right.path) || compareText(left.method, right.method);

/** Operations that the selection leaves out, those too that a pruned description names alone. */
const notSelected = (descriptions: readonly Description[], left: readonly Entry[]): readonly OperationGap[] =>
  [...descriptions.flatMap(description => description.leftOut), ...left.map(entry => entry.published.label)].map(label => {
    const [method = '', path = ''] = label.split(' ');
    return { method, path, reason: 'not selected by the descriptor' };
  });

const tableOf = (input: CompileInput, main: Description, operations: readonly OperationRow[], gaps: readonly OperationGap[]): OperationTable => ({
  compiler: COMPILER_VERSION,
  provider: input.provider,
  apiVersion: input.apiVersion,
  specDigest: input.specDigest,
  specFormat: input.format,
  basePath: main.basePath,
  operations,
  gaps,
});
