/**
 * Findings of several sources on one matter become one that names them all (SPEC-7): overlapping lines of one file and one
 * row of the equivalence table. The most severe speaks; among equals the rule whose row names the others.
 */
import { type Finding, type Placement, SEVERITIES } from '@weir/contract';
import type { Equivalence } from './equivalence.ts';

export interface SourcedFinding {
  readonly finding: Finding;
  readonly source: string;
  readonly placement: Placement;
}

export interface MergedFinding {
  readonly finding: Finding;
  readonly sources: readonly string[];
  readonly placement: Placement;
}

const KIND_ORDER: Readonly<Record<Placement['kind'], number>> = { line: 0, file: 1, summary: 2 };

const startOf = (placement: Placement): number => (placement.kind === 'line' ? placement.line : 0);

/** Order of the report: worst first, then by file and line; stable for equal findings. */
export function compareFindings(a: SourcedFinding | MergedFinding, b: SourcedFinding | MergedFinding): number {
  const bySeverity = SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity);
  if (bySeverity !== 0) return bySeverity;
  if (a.finding.path !== b.finding.path) return a.finding.path < b.finding.path ? -1 : 1;
  return KIND_ORDER[a.placement.kind] - KIND_ORDER[b.placement.kind] || startOf(a.placement) - startOf(b.placement);
}

function overlap(a: MergedFinding, b: SourcedFinding): boolean {
  if (a.placement.kind !== b.placement.kind) return false;
  if (a.placement.kind !== 'line' || b.placement.kind !== 'line') return a.finding.line === b.finding.line && a.finding.title === b.finding.title;
  return a.placement.side === b.placement.side && a.placement.line <= b.placement.endLine && b.placement.line <= a.placement.endLine;
}

/** Two remarks of one source with one rule stay two, unless they say the same of the same lines. */
function isRepeat(a: MergedFinding, b: SourcedFinding): boolean {
  if (!a.sources.includes(b.source)) return true;
  return (
    a.finding.title === b.finding.title &&
    a.finding.message === b.finding.message &&
    a.finding.line === b.finding.line &&
    a.finding.endLine === b.finding.endLine
  );
}

function join(a: MergedFinding, b: SourcedFinding): MergedFinding {
  const evidence = [...a.finding.evidence];
  for (const place of b.finding.evidence) if (!evidence.some(known => known.path === place.path && known.line === place.line)) evidence.push(place);
  const suggestion = a.finding.suggestion ?? (b.finding.line === a.finding.line && b.finding.endLine === a.finding.endLine ? b.finding.suggestion : null);
  return {
    finding: { ...a.finding, evidence, suggestion, quote: a.finding.quote ?? b.finding.quote },
    sources: [...new Set([...a.sources, b.source])].sort(),
    placement: a.placement,
  };
}

/** Lines of a finding that are indexed one by one; a longer one is compared with every other of its file, and there are few such. */
const MAX_INDEXED_LINES = 200;

/** Keys under which two findings that overlap meet; null for one that may meet any. */
function meetingPlaces({ finding, placement }: SourcedFinding | MergedFinding): readonly string[] | null {
  if (placement.kind !== 'line') return [`${placement.kind} ${finding.line} ${finding.title}`];
  if (placement.endLine - placement.line >= MAX_INDEXED_LINES) return null;
  return Array.from({ length: placement.endLine - placement.line + 1 }, (_, at) => `${placement.side} ${placement.line + at}`);
}

/** The merged findings of one file, found by where they stand. */
interface FileFindings {
  readonly merged: MergedFinding[];
  readonly byPlace: Map<string, number[]>;
  readonly wide: number[];
}

function addMerged({ merged, byPlace, wide }: FileFindings, item: MergedFinding): void {
  const index = merged.push(item) - 1;
  const places = meetingPlaces(item);
  if (places === null) wide.push(index);
  for (const place of places ?? []) {
    const known = byPlace.get(place);
    if (known === undefined) byPlace.set(place, [index]);
    else known.push(index);
  }
}

/** The first merged finding that the item belongs to, or -1; the order of arrival decides. */
function findMerged({ merged, byPlace, wide }: FileFindings, item: SourcedFinding, belongs: (known: MergedFinding) => boolean): number {
  const places = meetingPlaces(item);
  if (places === null) return merged.findIndex(belongs);
  const candidates = new Set([...wide, ...places.flatMap(place => byPlace.get(place) ?? [])]);
  return [...candidates].sort((a, b) => a - b).find(index => belongs(merged[index] as MergedFinding)) ?? -1;
}

/** Merges and sorts. Only findings that stand on the same lines of one file are compared. */
export function mergeFindings(findings: readonly SourcedFinding[], { same, leads }: Equivalence): readonly MergedFinding[] {
  const rank = (item: SourcedFinding): number => SEVERITIES.indexOf(item.finding.severity) * 2 + (leads(item.finding.rule) ? 0 : 1);
  const byPath = new Map<string, FileFindings>();
  for (const item of [...findings].sort((a, b) => rank(a) - rank(b) || compareFindings(a, b))) {
    const file = byPath.get(item.finding.path) ?? { merged: [], byPlace: new Map<string, number[]>(), wide: [] };
    byPath.set(item.finding.path, file);
    const at = findMerged(file, item, known => overlap(known, item) && isRepeat(known, item) && same(known.finding.rule, item.finding.rule));
    const known = file.merged[at];
    if (known) file.merged[at] = join(known, item);
    else addMerged(file, { finding: item.finding, sources: [item.source], placement: item.placement });
  }
  return [...byPath.values()].flatMap(file => file.merged).sort(compareFindings);
}
