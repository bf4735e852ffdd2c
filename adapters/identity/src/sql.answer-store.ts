/** Answers of writes by Idempotency-Key, shared by all processes and kept for a day. */
import type { AnswerStore, SqlPort } from '@weir/ports';

export const KEPT_MS = 24 * 3_600_000;

const CLAIM = 'insert into weir_api_answers (subject, key, fingerprint, claimed_at) values ($1, $2, $3, $4) on conflict do nothing';

interface AnswerRow extends Record<string, unknown> {
  readonly fingerprint: string;
  readonly status: number | null;
  readonly body: string | null;
}

/**
 * A process that ends between a claim and its answer leaves `under_way` behind for a day: whether its write happened is not known, so that
 * the key is not given to another.
 */
export function sqlAnswerStore(database: SqlPort, now: () => number): AnswerStore {
  return {
    async claim({ subject, key, fingerprint }) {
      await database.query('delete from weir_api_answers where claimed_at <= $1', [now() - KEPT_MS]);
      const { count } = await database.query(CLAIM, [subject, key, fingerprint, now()]);
      if (count > 0) return 'new';
      const { rows } = await database.query<AnswerRow>('select fingerprint, status, body from weir_api_answers where subject = $1 and key = $2', [
        subject,
        key,
      ]);
      const [row] = rows;
      // Released since: the caller may come again.
      if (row === undefined) return 'under_way';
      if (row.fingerprint !== fingerprint) return 'other_request';
      return row.status === null || row.body === null ? 'under_way' : { status: row.status, body: row.body };
    },
    async keep({ subject, key }, { status, body }) {
      await database.query('update weir_api_answers set status = $3, body = $4 where subject = $1 and key = $2', [subject, key, status, body]);
    },
    async release({ subject, key }) {
      await database.query('delete from weir_api_answers where subject = $1 and key = $2 and status is null', [subject, key]);
    },
  };
}
