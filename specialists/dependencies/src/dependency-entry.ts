/**
 * One line of a manifest as data: what is asked for, in which section, at which version or from which source.
 * Two readings of a manifest are compared as sets of entries, so order and formatting never count as a change.
 */
export interface DependencyEntry {
  /** Section as the manifest names it (`dependencies`, `dev-dependencies`); '' where a fragment does not show it. */
  readonly section: string;
  readonly name: string;
  /** Range or source as written; sources of TOML and Ruby manifests are written as URLs (`git+https://…`). */
  readonly spec: string;
  /** 1-based line; 0 when it is not known. */
  readonly line: number;
}

export interface EntryChange {
  readonly section: string;
  readonly name: string;
  /** Null for an entry that is new. */
  readonly before: string | null;
  /** Null for an entry that is gone. */
  readonly after: string | null;
  /** On the new side for an entry that stays or comes, on the old side for one that goes. */
  readonly line: number;
}

const keyOf = (entry: DependencyEntry): string => `${entry.section}\0${entry.name}`;

/** Entries by section and name; where one name is listed twice, their specs are one text. */
const grouped = (entries: readonly DependencyEntry[]): Map<string, DependencyEntry> => {
  const groups = new Map<string, DependencyEntry>();
  for (const entry of entries) {
    const known = groups.get(keyOf(entry));
    groups.set(keyOf(entry), known === undefined || known.spec === entry.spec ? entry : { ...entry, spec: `${known.spec} ${entry.spec}` });
  }
  return groups;
};

/** Entries that come, go, or change their spec between two readings. */
export const changedEntries = (base: readonly DependencyEntry[], head: readonly DependencyEntry[]): readonly EntryChange[] => {
  const before = grouped(base);
  const after = grouped(head);
  const changes: EntryChange[] = [];
  for (const [key, entry] of after) {
    const old = before.get(key);
    if (old?.spec !== entry.spec) {
      changes.push({ section: entry.section, name: entry.name, before: old?.spec ?? null, after: entry.spec, line: entry.line });
    }
  }
  for (const [key, entry] of before) {
    if (!after.has(key)) changes.push({ section: entry.section, name: entry.name, before: entry.spec, after: null, line: entry.line });
  }
  return changes;
};
