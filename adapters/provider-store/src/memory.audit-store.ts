/** The audit log of one process, for tests and dry runs: it ends with the process. */
import { createHash } from 'node:crypto';
import { AUDIT_START, type AuditLine, type AuditStore, auditLink, auditText } from '@weir/ports';

export function memoryAuditStore(): AuditStore {
  const lines: AuditLine[] = [];
  return {
    append(entry) {
      const sequence = lines.length + 1;
      const text = auditText(entry);
      const hash = createHash('sha256')
        .update(auditLink(lines.at(-1)?.hash ?? AUDIT_START, sequence, text))
        .digest('hex');
      const line = { sequence, text, hash };
      lines.push(line);
      return Promise.resolve(line);
    },
    read: (after, limit) => Promise.resolve(lines.slice(after, after + limit)),
  };
}
