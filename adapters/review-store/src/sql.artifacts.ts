/** Artifacts of reviews in the database, as ciphertexts alone, each bound to its row (REV-13, REV-39). */
import { AppError } from '@weir/kernel';
import { type Artifact, type ArtifactKind, type ArtifactStore, MAX_ARTIFACT_BYTES, type SealedColumn, type SecretBox, type SqlPort } from '@weir/ports';

/** One that has expired and was not swept yet is as good as gone. */
const PUT = `insert into weir_artifacts (id, review_id, kind, sealed, expires_at) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set review_id = excluded.review_id, kind = excluded.kind, sealed = excluded.sealed, expires_at = excluded.expires_at
  where weir_artifacts.expires_at <= $6`;
const GET = 'select * from weir_artifacts where id = $1 and (expires_at is null or expires_at > $2)';
const SWEEP = `delete from weir_artifacts where id in
  (select id from weir_artifacts where expires_at < $1 order by expires_at limit $2 for update skip locked)`;
const LIST_SECRETS = 'select id, sealed from weir_artifacts where id > $1 order by id limit $2';
const REPLACE = 'update weir_artifacts set sealed = $3 where id = $1 and sealed = $2';

/** Artifacts are large: a page of a rotation holds this many of them at most. */
const ROTATION_PAGE = 4;

interface StoredArtifact extends Record<string, unknown> {
  readonly id: string;
  readonly review_id: string;
  readonly kind: ArtifactKind;
  readonly sealed: string;
  readonly expires_at: string | null;
}

export interface SqlArtifactsParts {
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface SqlArtifacts extends ArtifactStore {
  /** For a rotation of the keyset. */
  readonly secrets: SealedColumn;
}

const placeOf = (id: string) => ({ store: 'artifacts', row: id, column: 'text' }) as const;

function checkSize({ id, text }: Artifact): void {
  if (Buffer.byteLength(text) <= MAX_ARTIFACT_BYTES) return;
  throw new AppError('INPUT_TOO_LARGE', `The artifact ${id} is larger than ${MAX_ARTIFACT_BYTES} bytes.`);
}

export function sqlArtifacts(database: SqlPort, { box, now }: SqlArtifactsParts): SqlArtifacts {
  return {
    async put(artifact) {
      checkSize(artifact);
      const { id, reviewId, kind, text, expiresAt } = artifact;
      await database.query(PUT, [id, reviewId, kind, box.seal(text, placeOf(id)), expiresAt, now()]);
    },
    async get(id) {
      const { rows } = await database.query<StoredArtifact>(GET, [id, now()]);
      const [row] = rows;
      if (row === undefined) return undefined;
      const expiresAt = row.expires_at === null ? null : Number(row.expires_at);
      return { id, reviewId: row.review_id, kind: row.kind, text: box.open(row.sealed, placeOf(id)), expiresAt };
    },
    sweep: async (moment, limit) => (await database.query(SWEEP, [moment, limit])).count,
    secrets: {
      name: 'artifacts',
      async list(after, limit) {
        const { rows } = await database.query<{ id: string; sealed: string }>(LIST_SECRETS, [after, Math.min(limit, ROTATION_PAGE)]);
        return rows.map(({ id, sealed }) => ({ cursor: id, place: placeOf(id), sealed }));
      },
      replace: async (cursor, before, after) => (await database.query(REPLACE, [cursor, before, after])).count > 0,
    },
  };
}
