/** The audit log in the database, one chain for all processes of a deployment. */
import { type AuditLine, type AuditStore, auditText, type SqlPort } from '@weir/ports';

/** Lines that one statement appends at most. */
const BATCH = 200;

interface Waiting {
  readonly text: string;
  readonly resolve: (line: AuditLine) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends of one process that come while another is under way go together: the chain lets one transaction at a time
 * through, so a line for each would pay one flush to disk each. An append resolves when its own line is committed.
 */
export function sqlAuditStore(database: SqlPort): AuditStore {
  const waiting: Waiting[] = [];
  let writing = false;

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) await writeBatch(database, waiting.splice(0, BATCH));
    writing = false;
  }

  return {
    append: entry =>
      new Promise((resolve, reject) => {
        waiting.push({ text: auditText(entry), resolve, reject });
        if (!writing) void write();
      }),
    async read(after, limit) {
      const { rows } = await database.query<StoredLine>('select sequence, text, hash from weir_audit_log where sequence > $1 order by sequence limit $2', [
        after,
        limit,
      ]);
      return rows.map(({ sequence, text, hash }) => ({ sequence: Number(sequence), text, hash }));
    },
  };
}

interface StoredLine extends Record<string, unknown> {
  readonly sequence: string;
  readonly text: string;
  readonly hash: string;
}

interface AppendedLine extends Record<string, unknown> {
  readonly line_sequence: string;
  readonly line_hash: string;
}

/** Fails every append of the batch alike: none of its lines is there. */
async function writeBatch(database: SqlPort, batch: readonly Waiting[]): Promise<void> {
  try {
    const { rows } = await database.query<AppendedLine>('select line_sequence, line_hash from weir_audit_append($1)', [batch.map(({ text }) => text)]);
    for (const [index, { line_sequence, line_hash }] of rows.entries()) {
      const asked = batch[index];
      asked?.resolve({ sequence: Number(line_sequence), text: asked.text, hash: line_hash });
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
