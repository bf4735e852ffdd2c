/**
 * Failures on demand: what a vendor, a proxy or a bad network does to a request. Each rule is spent after `times` hits.
 * A rule either answers instead of the forge, or spoils the forge's own answer on its way out.
 */

export type Fault =
  /** Any answer instead of the forge's. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly raw?: string;
      readonly type?: string;
    }
  /** The hourly budget is spent: no call is left until `resetAfterSeconds`. */
  | { readonly kind: 'rate-limit'; readonly status?: 403 | 429; readonly resetAfterSeconds?: number }
  /** Too fast or too much: 403, 429 or 422, with or without Retry-After. */
  | { readonly kind: 'secondary-limit'; readonly status?: 403 | 422 | 429; readonly retryAfterSeconds?: number }
  /** 406 `too_large`, as a diff over 300 files gets. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'html-error'; readonly status?: number }
  /** An error body of that many bytes. */
  | { readonly kind: 'oversized-error'; readonly status?: number; readonly bytes: number }
  /** Redirects to the same URL for ever. */
  | { readonly kind: 'redirect-loop' }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** Never answers; the client's deadline ends it. */
  | { readonly kind: 'hang' }
  /** Something happens first while the client waits; then the forge answers as things stand. */
  | { readonly kind: 'meanwhile'; readonly happens: () => Promise<void> }
  | { readonly kind: 'reset-before' }
  /** The request takes effect, then the connection breaks. */
  | { readonly kind: 'reset-after' }
  | { readonly kind: 'slow-drip'; readonly chunkBytes?: number; readonly everyMs?: number }
  /** A whole HTTP answer whose JSON stops in the middle. */
  | { readonly kind: 'truncated-json' }
  /** Fewer bytes than Content-Length says, then the connection closes. */
  | { readonly kind: 'cut-body' }
  | { readonly kind: 'garbage' }
  /** Each page says that there is another. */
  | { readonly kind: 'endless-pages' }
  | { readonly kind: 'no-next-page' }
  /** The page as it is, without a header that tells of pages or totals. */
  | { readonly kind: 'no-page-headers' }
  | { readonly kind: 'malformed-link' };

export interface FaultRule {
  readonly fault: Fault;
  readonly method?: string;
  /** A part of the path, or a pattern for it. */
  readonly path?: string | RegExp;
  /** How often it strikes; 1 unless given. `Infinity` is allowed. */
  readonly times?: number;
  /** Requests that match and pass unharmed first. */
  readonly after?: number;
}

interface ArmedRule {
  readonly rule: FaultRule;
  left: number;
  skip: number;
}

export class Faults {
  readonly #rules: ArmedRule[] = [];

  /** Arms a rule. The oldest rule that matches a request strikes; one rule a request. */
  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times ?? 1, skip: rule.after ?? 0 });
  }

  clear(): void {
    this.#rules.length = 0;
  }

  /** Takes the fault that strikes this request. */
  take(method: string, path: string): Fault | null {
    for (const armed of this.#rules) {
      if (armed.left <= 0 || !matches(armed.rule, method, path)) continue;
      if (armed.skip > 0) {
        armed.skip -= 1;
        continue;
      }
      armed.left -= 1;
      return armed.rule.fault;
    }
    return null;
  }
}

function matches(rule: FaultRule, method: string, path: string): boolean {
  if (rule.method !== undefined && rule.method !== method) return false;
  if (rule.path === undefined) return true;
  return typeof rule.path === 'string' ? path.includes(rule.path) : rule.path.test(path);
}
