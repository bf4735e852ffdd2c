/**
 * The rule-equivalence table (SPEC-7): each rule is a row that names the rules of other tools which mean the same matter.
 * It is built from the declarations of the specialists, so a new specialist brings its rows along.
 */
export interface EquivalenceRow {
  readonly id: string;
  /** Exact ids, or patterns in which `*` stands for any text. */
  readonly equivalent: readonly string[];
  /** Its findings stand on text that nothing may repeat. */
  readonly secret?: boolean;
}

/** Whether a rule fits a pattern; each `*` takes the first place where the next part fits, so it is linear. */
function matches(pattern: string, rule: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return pattern === rule;
  if (!rule.startsWith(start)) return false;
  const end = parts.pop() ?? '';
  let at = start.length;
  for (const part of parts) {
    const found = rule.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return rule.length - end.length >= at && rule.endsWith(end);
}

export interface Equivalence {
  /** Whether two rules mean one matter: the same rule, or both in one row. */
  readonly same: (a: string, b: string) => boolean;
  /** Whether the rule has a row that names others: it knows the matter best and speaks for it. */
  readonly leads: (rule: string) => boolean;
}

export function equivalence(rows: readonly EquivalenceRow[]): Equivalence {
  const leading = new Set(rows.filter(row => row.equivalent.length > 0).map(row => row.id));
  const rowsOf = new Map<string, ReadonlySet<string>>();
  const find = (rule: string): ReadonlySet<string> => {
    const seen = rowsOf.get(rule);
    if (seen) return seen;
    const own = new Set(rows.filter(row => row.id === rule || row.equivalent.some(pattern => matches(pattern, rule))).map(row => row.id));
    rowsOf.set(rule, own);
    return own;
  };
  const same = (a: string, b: string): boolean => {
    if (a === b) return true;
    const other = find(b);
    for (const row of find(a)) if (other.has(row)) return true;
    return false;
  };
  return { same, leads: rule => leading.has(rule) };
}
