/**
 * The rule-equivalence table (SPEC-7): each rule is a row that names the rules of other tools which mean the same matter.
 * It is built from the declarations of the specialists, so a new specialist brings its rows along.
 */
export interface EquivalenceRow {
  readonly id: string;
  /** Exact ids, or a prefix that ends in `*`. */
  readonly equivalent: readonly string[];
}

const matches = (pattern: string, rule: string): boolean => (pattern.endsWith('*') ? rule.startsWith(pattern.slice(0, -1)) : pattern === rule);

/** Says whether two rules mean one matter: the same rule, or both in one row. */
export function sameMatter(rows: readonly EquivalenceRow[]): (a: string, b: string) => boolean {
  const rowsOf = new Map<string, ReadonlySet<string>>();
  const find = (rule: string): ReadonlySet<string> => {
    const seen = rowsOf.get(rule);
    if (seen) return seen;
    const own = new Set(rows.filter(row => row.id === rule || row.equivalent.some(pattern => matches(pattern, rule))).map(row => row.id));
    rowsOf.set(rule, own);
    return own;
  };
  return (a, b) => {
    if (a === b) return true;
    const other = find(b);
    for (const row of find(a)) if (other.has(row)) return true;
    return false;
  };
}
