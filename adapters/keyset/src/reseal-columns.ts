/** Encrypts again, with the primary key, whatever an older key has encrypted. Can be stopped and run again at any time. */
import type { SealedColumn, SecretBox } from '@weir/ports';
import { SecretUnreadable, type UnreadableReason } from './secret-unreadable.ts';

export interface ResealReport {
  readonly resealed: number;
  /** What could not be read stays as it is, and so do the keys. */
  readonly unreadable: readonly { readonly column: string; readonly cursor: string; readonly reason: UnreadableReason }[];
  /** Rows that changed under the walk in each round: others are writing with an older key. */
  readonly unsettled: number;
}

const PAGE = 100;
/** A row that another process changes meanwhile is looked at again, this often. */
const ROUNDS = 3;

export async function resealColumns(box: SecretBox, columns: readonly SealedColumn[]): Promise<ResealReport> {
  let resealed = 0;
  let last: Round = { resealed: 0, missed: 0, unreadable: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    last = await walk(box, columns);
    resealed += last.resealed;
    if (last.resealed === 0 && last.missed === 0) break;
  }
  return { resealed, unreadable: last.unreadable, unsettled: last.missed };
}

interface Round {
  readonly resealed: number;
  readonly missed: number;
  readonly unreadable: ResealReport['unreadable'];
}

async function walk(box: SecretBox, columns: readonly SealedColumn[]): Promise<Round> {
  let resealed = 0;
  let missed = 0;
  const unreadable: ResealReport['unreadable'][number][] = [];
  for (const column of columns) {
    for (let page = await column.list('', PAGE); page.length > 0; page = await column.list(page.at(-1)?.cursor ?? '', PAGE)) {
      for (const { cursor, place, sealed } of page) {
        if (box.isCurrent(sealed)) continue;
        const again = sealedAgain(() => box.seal(box.open(sealed, place), place));
        if (again.ok) {
          if (await column.replace(cursor, sealed, again.sealed)) resealed += 1;
          else missed += 1;
        } else unreadable.push({ column: column.name, cursor, reason: again.reason });
      }
    }
  }
  return { resealed, missed, unreadable };
}

function sealedAgain(work: () => string): { readonly ok: true; readonly sealed: string } | { readonly ok: false; readonly reason: UnreadableReason } {
  try {
    return { ok: true, sealed: work() };
  } catch (error) {
    if (error instanceof SecretUnreadable) return { ok: false, reason: error.reason };
    throw error;
  }
}
