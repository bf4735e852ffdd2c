/** The sentence on top of a review: what is open and what was not read. Below full coverage nothing says "no issues". */
import { type FileCoverage, SEVERITIES, type Severity } from '@weir/contract';

const files = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;

const PLURAL: Readonly<Record<Severity, string>> = { blocker: 'blockers', major: 'major', minor: 'minor', note: 'notes' };

/** `2 blockers, 1 major`: levels that have findings, worst first. */
function tally(found: readonly Severity[], levels: readonly Severity[]): string {
  const parts = levels.map(level => ({ level, count: found.filter(severity => severity === level).length }));
  return parts
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${count === 1 ? level : PLURAL[level]}`)
    .join(', ');
}

function readingSentence(coverage: readonly FileCoverage[]): string {
  const lost = coverage.filter(file => file.reading !== 'full' && !file.byRule);
  if (lost.length === 0) return '';
  const partly = lost.filter(file => file.reading === 'partial').length;
  const unread = lost.length - partly;
  const parts = [...(partly > 0 ? [`${files(partly)} read in part`] : []), ...(unread > 0 ? [`${files(unread)} not read`] : [])];
  return ` Incomplete: ${parts.join(', ')}.`;
}

/** Builds the headline from the severity of every finding, listed or not. `failures` are specialists or model calls that did not end. */
export function headline(found: readonly Severity[], coverage: readonly FileCoverage[], failures: number): string {
  const lost = readingSentence(coverage);
  const failed = failures > 0 && lost === '' ? ' Incomplete: a part of the review failed.' : '';
  const serious = tally(found, ['blocker', 'major']);
  if (serious !== '') return `Not ready: ${serious}.${lost}${failed}`;
  const small = tally(found, SEVERITIES);
  if (small !== '') return `Nothing that blocks: ${small}.${lost}${failed}`;
  const read = coverage.filter(file => file.reading === 'full').length;
  if (coverage.length === 0) return 'Nothing to review: the change is empty.';
  if (read === 0 && lost === '') return `Nothing to read: ${files(coverage.length)} left out by rule.${failed}`;
  if (lost !== '' || failed !== '') return `No finding in what was read.${lost}${failed}`;
  return `No finding: ${read} of ${files(coverage.length)} read whole.`;
}
