/**
 * Where each finding of a round goes (REV-17, REV-18a): on lines, within the noise budget and the forge's own rules, else to
 * the summary's list with its reason. No finding is dropped, and one bad anchor never costs the others.
 */
import { type Anchor, type ReviewFinding, SEVERITIES, type Severity } from '@weir/contract';
import { type DiffFile, type LineIndex, lineInBoth } from '@weir/diff';
import { indexChange, type PlacementIndex } from './place-finding.policy.ts';

export type Route = 'inline' | 'summary' | 'dashboard';

export interface PlacementRules {
  /** The operator's routing. A security finding is never below `summary`. */
  readonly routes: Readonly<Record<Severity, Route>>;
  /** Comments on lines in one round; the worst findings get them. */
  readonly maxInline: number;
  /** The forge takes a comment on several lines. */
  readonly multiLine: boolean;
}

export const DEFAULT_PLACEMENT: Omit<PlacementRules, 'multiLine'> = {
  routes: { blocker: 'inline', major: 'inline', minor: 'inline', note: 'summary' },
  maxInline: 7,
};

export interface InlineComment {
  readonly finding: ReviewFinding;
  readonly anchor: Anchor;
}

export interface PlacedComments {
  /** Worst first. */
  readonly inline: readonly InlineComment[];
  readonly listed: readonly { readonly finding: ReviewFinding; readonly reason: string }[];
  /** Shown by Weir alone. */
  readonly kept: readonly ReviewFinding[];
}

const routeOf = ({ severity, category }: ReviewFinding, { routes }: PlacementRules): Route =>
  category === 'security' && routes[severity] === 'dashboard' ? 'summary' : routes[severity];

/** Both numbers of the last line, as forges want them; a sentence where the diff as it is now has no such line. */
function anchorOf(finding: ReviewFinding, change: PlacementIndex, multiLine: boolean): Anchor | string {
  const { placement } = finding;
  if (placement.kind !== 'line') return placement.reason;
  const row = change.files.get(finding.path);
  const numbers = row === undefined ? undefined : numbersOf(row.index, placement);
  if (row === undefined || numbers === undefined) return 'its line is not in the diff';
  const { side, line, endLine } = placement;
  const path = row.file.newPath ?? row.file.oldPath ?? finding.path;
  const startLine = multiLine && line < endLine ? line : null;
  return { path, previousPath: row.file.oldPath ?? path, side, line: endLine, startLine, oldLine: numbers.old, newLine: numbers.new };
}

function numbersOf(index: LineIndex, placement: Extract<ReviewFinding['placement'], { kind: 'line' }>) {
  return lineInBoth(index, { ...placement, kind: 'anchor' })?.end;
}

const worstFirst = (findings: readonly ReviewFinding[]): readonly ReviewFinding[] =>
  findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));

export function placeComments(findings: readonly ReviewFinding[], files: readonly DiffFile[], rules: PlacementRules): PlacedComments {
  const change = indexChange(files);
  const inline: InlineComment[] = [];
  const listed: { finding: ReviewFinding; reason: string }[] = [];
  const kept: ReviewFinding[] = [];
  for (const finding of worstFirst(findings)) {
    const route = routeOf(finding, rules);
    const anchor = route === 'inline' ? anchorOf(finding, change, rules.multiLine) : 'findings of this severity are listed here';
    if (route === 'dashboard') kept.push(finding);
    else if (typeof anchor === 'string') listed.push({ finding, reason: anchor });
    else if (inline.length >= rules.maxInline) listed.push({ finding, reason: `a round has at most ${rules.maxInline} comments on lines` });
    else inline.push({ finding, anchor });
  }
  return { inline, listed, kept };
}
