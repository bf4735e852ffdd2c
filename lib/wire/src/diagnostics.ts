/** What a conversion left behind or moved, for the operator and `weir models explain`. Counts and names, never payloads. */

/** Different diagnostics of one request that are kept. */
const MAX_DIAGNOSTICS = 64;

export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  /** How often it happened. */
  readonly count: number;
}

export interface Diagnostics {
  add(code: string, message: string): void;
  list(): readonly Diagnostic[];
}

export function createDiagnostics(): Diagnostics {
  const counts = new Map<string, Diagnostic>();
  return {
    add: (code, message) => {
      const key = `${code} ${message}`;
      const before = counts.get(key);
      if (before !== undefined || counts.size < MAX_DIAGNOSTICS) counts.set(key, { code, message, count: (before?.count ?? 0) + 1 });
    },
    list: () => [...counts.values()],
  };
}
