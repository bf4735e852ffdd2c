/**
 * One finding as a SARIF result (SARIF 2.1.0, 3.27).
 */
import type { ReviewFinding } from '@weir/contract';
import { uriOf } from './file-uri.ts';
import { fullMessage, type Place, placeOf, withoutLines } from './finding-place.ts';
import { wellFormed } from './plain-text.ts';
import { securitySeverity } from './sarif-rule.ts';
import { SEVERITY_ROWS } from './severity-row.ts';

/** Base of every URI of a report: the root of the repository, wherever it lies. */
export const SOURCE_ROOT = '%SRCROOT%';
/** Key of our fingerprint. Code scanning computes its own `primaryLocationLineHash` and warns of every other value under that name. */
const FINGERPRINT_KEY = 'weir/v1';
/** Supporting places of one result; more belong to `weir show`. */
const MAX_RELATED = 20;

/** `[text](target)` is a link in a SARIF message (3.11.6); text that Weir did not write makes none. */
export const sarifText = (text: string): string => wellFormed(text).replaceAll('](', '] (');

export const artifactLocation = (path: string) => ({ uri: uriOf(path), uriBaseId: SOURCE_ROOT });

/**
 * Whole lines. A region without columns ends before the line break of its last line (3.30.8), so a deletion has to
 * reach the start of the line that follows.
 */
function replacementOf({ line, endLine }: Place, suggestion: string) {
  if (suggestion === '') return { deletedRegion: { startLine: line, startColumn: 1, endLine: endLine + 1, endColumn: 1 } };
  return { deletedRegion: { startLine: line, endLine }, insertedContent: { text: wellFormed(suggestion.replace(/\r?\n$/, '')) } };
}

function fixesOf({ path, suggestion }: ReviewFinding, place: Place): { fixes?: object[] } {
  if (suggestion === null || withoutLines(place) !== null) return {};
  const change = { artifactLocation: artifactLocation(path), replacements: [replacementOf(place, suggestion)] };
  return { fixes: [{ description: { text: 'Replace the lines as suggested' }, artifactChanges: [change] }] };
}

function relatedOf({ evidence }: ReviewFinding): { relatedLocations?: object[] } {
  if (evidence.length === 0) return {};
  const related = evidence.slice(0, MAX_RELATED).map(({ path, line, note }, index) => ({
    id: index + 1,
    physicalLocation: { artifactLocation: artifactLocation(path), ...(line === null ? {} : { region: { startLine: line } }) },
    ...(note === '' ? {} : { message: { text: sarifText(note) } }),
  }));
  return { relatedLocations: related };
}

function propertiesOf(finding: ReviewFinding, place: Place) {
  const { placement } = finding;
  const noLines = withoutLines(place);
  return {
    id: finding.id,
    category: finding.category,
    severity: finding.severity,
    sources: finding.sources.map(wellFormed),
    ...securitySeverity(finding.category, finding.severity),
    ...(noLines === null ? {} : { regionOmitted: noLines, side: place.side, line: place.line, endLine: place.endLine }),
    ...(placement.kind === 'line' ? {} : { placement: placement.kind, placementReason: wellFormed(placement.reason) }),
  };
}

/** @param ruleIndex place of the finding's rule in the run's list of rules. */
export function sarifResult(finding: ReviewFinding, ruleIndex: number) {
  const place = placeOf(finding);
  const region = withoutLines(place) === null ? { region: { startLine: place.line, endLine: place.endLine } } : {};
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: SEVERITY_ROWS[finding.severity].sarif,
    message: { text: sarifText(fullMessage(finding)) },
    locations: [{ physicalLocation: { artifactLocation: artifactLocation(finding.path), ...region } }],
    ...relatedOf(finding),
    partialFingerprints: { [FINGERPRINT_KEY]: finding.fingerprint },
    ...fixesOf(finding, place),
    properties: propertiesOf(finding, place),
  };
}
