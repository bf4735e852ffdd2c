/**
 * A rotation: a new primary key, everything encrypted again with it, and then those keys dropped that were retired before. The key
 * that was the primary one until now stays for one more rotation, since another process may be about to write with it. To be rid of
 * a key that leaked, rotate twice.
 */
import type { SealedColumn } from '@weir/ports';
import { createSecretBox } from './create-secret-box.ts';
import { withNewKey } from './keyset.ts';
import { changeKeysetFile, keysetFileSource, readKeysetFile } from './keyset-file.ts';
import { type ResealReport, resealColumns } from './reseal-columns.ts';

export interface RotationReport extends ResealReport {
  /** Id of the new primary key. */
  readonly primary: string;
  /** Ids of the keys that are gone. None while something is unreadable or unsettled. */
  readonly dropped: readonly string[];
}

/**
 * @param columns all that the keyset has encrypted: what is left out cannot be read once its key is dropped.
 */
export async function rotateKeyset(file: string, columns: readonly SealedColumn[], now: Date): Promise<RotationReport> {
  const before = readKeysetFile(file).primary;
  const { primary } = changeKeysetFile(file, keyset => withNewKey(keyset, now));
  const report = await resealColumns(createSecretBox(keysetFileSource(file)), columns);
  if (report.unreadable.length > 0 || report.unsettled > 0) return { ...report, primary, dropped: [] };
  const dropped: string[] = [];
  changeKeysetFile(file, keyset => {
    const keys = keyset.keys.filter(({ id }) => id === keyset.primary || id === primary || id === before);
    dropped.push(...keyset.keys.filter(key => !keys.includes(key)).map(({ id }) => id));
    return { ...keyset, keys };
  });
  return { ...report, primary, dropped };
}
