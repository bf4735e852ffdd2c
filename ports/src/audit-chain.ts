/**
 * The chain of the audit log: how a line is written, linked and verified (PRV-18). Pure; the hash is handed in.
 * A line proves its content, its place and everything before it. That the newest lines were not cut off is shown only by
 * an anchor: a sequence and hash that was kept elsewhere.
 */
import type { AuditEntry, AuditLine } from './audit-store.port.ts';

/** What the first line names as its predecessor. */
export const AUDIT_START = '0'.repeat(64);

/** sha256 of the UTF-8 bytes, lower-case hex. */
export type AuditHash = (text: string) => string;

/** Keys sorted, so that equal entries have equal texts. The entry is flat. */
export function auditText(entry: AuditEntry): string {
  return JSON.stringify(Object.fromEntries(Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : 1))));
}

/** The text whose hash is the line's hash. Canonical JSON has no line end, so the three parts cannot run together. */
export function auditLink(previous: string, sequence: number, text: string): string {
  return `${previous}\n${sequence}\n${text}`;
}

export interface AuditPoint {
  readonly sequence: number;
  readonly hash: string;
}

export type AuditVerdict =
  | { readonly intact: true; readonly lines: number; readonly last: AuditPoint | undefined }
  /** The first line that does not fit. */
  | { readonly intact: false; readonly sequence: number; readonly sentence: string };

const START: AuditPoint = { sequence: 0, hash: AUDIT_START };

/**
 * Reads the whole chain, or its rest after a point that was verified before.
 * @param anchor a line that has to be in the chain; without one a cut end goes unseen.
 */
export async function verifyAuditChain(
  lines: AsyncIterable<AuditLine> | Iterable<AuditLine>,
  hash: AuditHash,
  { after = START, anchor }: { readonly after?: AuditPoint; readonly anchor?: AuditPoint } = {},
): Promise<AuditVerdict> {
  let last = after;
  for await (const line of lines) {
    const fault = faultOf(line, last, hash);
    if (fault !== undefined) return { intact: false, sequence: last.sequence + 1, sentence: fault };
    if (anchor?.sequence === line.sequence && anchor.hash !== line.hash) {
      return { intact: false, sequence: line.sequence, sentence: `Line ${line.sequence} is not the one that was anchored: the log was written anew.` };
    }
    last = line;
  }
  if (anchor !== undefined && anchor.sequence > last.sequence) {
    return {
      intact: false,
      sequence: last.sequence + 1,
      sentence: `The log ends at line ${last.sequence}, but line ${anchor.sequence} was anchored: its end was cut off.`,
    };
  }
  return { intact: true, lines: last.sequence - after.sequence, last: last === START ? undefined : { sequence: last.sequence, hash: last.hash } };
}

function faultOf(line: AuditLine, last: AuditPoint, hash: AuditHash): string | undefined {
  const sequence = last.sequence + 1;
  if (line.sequence !== sequence) return `Line ${sequence} is missing; line ${line.sequence} follows.`;
  if (line.hash !== hash(auditLink(last.hash, sequence, line.text)))
    return `Line ${sequence} does not fit its hash and its predecessor: one of them was changed.`;
  return undefined;
}
