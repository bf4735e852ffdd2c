/** Which findings of a file stand at a line that the diff shows, and which open ones do not. Closed ones that do not are in the list of all. */
import type { DiffFile, FindingDetail } from '../../api/resources.ts';
import { rowsOf } from '../../marks/diff-rows.ts';

/** The last line of the finding: the remark stands below all that it is about. */
export const lineKey = ({ side, endLine }: Pick<FindingDetail, 'side' | 'endLine'>): string => `${side}:${endLine}`;

interface FileFindings {
  readonly placed: readonly FindingDetail[];
  readonly loose: readonly FindingDetail[];
}

export function findingsOfFile(file: DiffFile, findings: readonly FindingDetail[]): FileFindings {
  const ofFile = findings.filter(({ path }) => path === file.path || path === file.oldPath);
  const shown = new Set<string>();
  for (const hunk of file.hunks)
    for (const { oldLine, newLine } of rowsOf(hunk)) {
      if (oldLine !== null) shown.add(`old:${oldLine}`);
      if (newLine !== null) shown.add(`new:${newLine}`);
    }
  return {
    placed: ofFile.filter(finding => shown.has(lineKey(finding))),
    loose: ofFile.filter(finding => finding.status === 'open' && !shown.has(lineKey(finding))),
  };
}
