/** One package as a lockfile pins it, with the lines that say so. */
export interface LockedPackage {
  /** '' where a fragment does not show it. */
  readonly name: string;
  /** '' where a fragment does not show it. */
  readonly version: string;
  /** URL or registry that it comes from, as written; '' when the entry names none. */
  readonly source: string;
  readonly sourceLine: number;
  /** Checksums as written; '' when the entry has none. */
  readonly integrity: string;
  readonly integrityLine: number;
  /** True where the lockfile says that installing it runs a script. */
  readonly installScript: boolean;
  readonly scriptLine: number;
  /** First line that shows the entry. */
  readonly line: number;
}

/** A field of a locked package and the line that it stands on. */
export interface LockedField {
  readonly value: string;
  readonly line: number;
}

export type LockedFields = Partial<Record<'version' | 'source' | 'integrity' | 'installScript', LockedField>>;

const NONE: LockedField = { value: '', line: 0 };

/** Builds a package from the fields that were seen. */
export const lockedPackage = (name: string, line: number, fields: LockedFields): LockedPackage => {
  const { version, source, integrity, installScript } = { version: NONE, source: NONE, integrity: NONE, installScript: NONE, ...fields };
  return {
    name,
    version: version.value,
    source: source.value,
    sourceLine: source.line,
    integrity: integrity.value,
    integrityLine: integrity.line,
    installScript: installScript.value === 'true',
    scriptLine: installScript.line,
    line,
  };
};
