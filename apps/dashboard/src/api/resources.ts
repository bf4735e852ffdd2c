/** What the pages read, as the API answers it. Times are ISO 8601; money is in millicents, and null is unknown, never zero. */
import type { ChangeCard, DiffFacts, Evidence, ReadingCounts, RoundStatus, Severity, Side, Stage } from '@weir/contract';

export type Role = 'viewer' | 'admin';

export interface Principal {
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
}

export interface Session {
  readonly principal: Principal | null;
  /** Where a person signs in with the identity provider; null where the server's one-time link is the way. */
  readonly signIn: string | null;
}

export interface CursorPage<Row> {
  readonly items: readonly Row[];
  readonly next: string | null;
}

/** Every write answers with the position that the feed passes when its event is there; null where it writes none. */
export interface Accepted {
  readonly position: string | null;
}

export interface InboxRow {
  readonly code: string;
  readonly subject: string | null;
  readonly sentence: string;
  readonly action: string;
  readonly blocking: boolean;
  readonly since: string | null;
  readonly deadline: string | null;
  /** Path of the page that helps. */
  readonly link: string | null;
}

export interface Inbox {
  readonly items: readonly InboxRow[];
}

export type Counts = Readonly<Record<Severity, number>>;

/** The sum of what could be priced, and how many calls could not. */
export interface Cost {
  readonly millicents: number;
  readonly calls: number;
  readonly unpricedCalls: number;
}

export interface ReviewRow {
  readonly id: string;
  readonly repository: string | null;
  readonly change: ChangeCard | null;
  readonly round: number;
  readonly head: string | null;
  readonly status: RoundStatus | null;
  /** The last stage that the round was in. */
  readonly stage: Stage | null;
  readonly archived: boolean;
  /** Null before the first reading. */
  readonly open: Counts | null;
  readonly cost: Cost;
  readonly since: string;
  readonly updatedAt: string;
}

export interface ReviewTotals {
  readonly all: number;
  readonly inFlight: number;
  readonly needsMe: number;
  readonly ended: number;
  readonly endedToday: number;
  readonly openBlockers: number;
}

export interface ReviewList extends CursorPage<ReviewRow> {
  readonly totals: ReviewTotals;
}

export type FindingStatus = 'open' | 'resolved' | 'acknowledged' | 'superseded' | 'dismissed';

export interface FindingDetail {
  readonly id: string;
  readonly rule: string;
  readonly round: number;
  readonly status: FindingStatus;
  readonly severity: Severity;
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly endLine: number;
  /** Null where the text is no longer kept. */
  readonly text: {
    readonly title: string;
    readonly message: string;
    readonly suggestion: string | null;
    readonly evidence: readonly Evidence[];
  } | null;
  readonly sources: readonly string[];
  readonly thread: { readonly url: string | null; readonly resolved: boolean | null; readonly settledBy: string | null; readonly turns: number } | null;
  readonly dismissal: { readonly by: string; readonly reason: string | null } | null;
  readonly verdicts: readonly { readonly round: number; readonly verdict: string }[];
}

export interface RoundDetail {
  readonly round: number;
  readonly head: string;
  readonly cause: string;
  readonly status: RoundStatus;
  readonly observe: boolean;
  readonly attempt: number;
  readonly steps: readonly { readonly status: RoundStatus; readonly at: string }[];
  readonly diff: DiffFacts | null;
  readonly reading: ReadingCounts | null;
  readonly missing: readonly { readonly source: string; readonly reason: string }[];
  readonly reason: string | null;
  readonly reconciliation: {
    readonly resolved: number;
    readonly open: number;
    readonly unchanged: number;
    readonly added: number;
    readonly tracked: number;
  } | null;
}

export interface ChargeRow {
  readonly callRef: string;
  readonly at: string;
  readonly capability: string;
  readonly model: string;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly millicents: number | null;
}

export interface MadeBy {
  readonly specialists: readonly string[];
  readonly prompt: string | null;
  readonly rulesCommit: string | null;
  readonly account: string | null;
}

export interface ReviewDetail extends ReviewRow {
  readonly url: string | null;
  readonly sourceBranch: string | null;
  readonly targetBranch: string | null;
  readonly verdict: { readonly ready: boolean | null; readonly headline: string };
  readonly rounds: readonly RoundDetail[];
  readonly findings: readonly FindingDetail[];
  readonly charges: readonly ChargeRow[];
  readonly madeBy: MadeBy;
}

export type DiffLineKind = 'add' | 'del' | 'context';

export interface DiffHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly { readonly kind: DiffLineKind; readonly text: string }[];
}

export interface DiffFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly kind: string;
  readonly meaning: 'contract' | 'core' | 'edges' | 'tests';
  readonly addedLines: number;
  readonly removedLines: number;
  readonly hunks: readonly DiffHunk[];
  /** Why a part cannot be shown. */
  readonly problem: string | null;
}

export interface EventRow {
  readonly id: string;
  readonly position: string;
  readonly at: string;
  readonly type: string;
  readonly summary: string;
  readonly reviewId: string | null;
  /** Id of the event or message that it follows from. */
  readonly cause: string | null;
  readonly correlation: string | null;
}

export interface WhyAnswer {
  readonly figure: string;
  readonly value: number | string | null;
  /** How the value follows from what is listed. */
  readonly sentence: string;
  readonly events: readonly { readonly position: string; readonly type: string; readonly at: string; readonly summary: string }[];
  readonly charges: readonly ChargeRow[];
}

export interface AccountRow {
  readonly id: string;
  readonly forge: string;
  readonly origin: string;
  readonly role: 'reviewer' | 'factory';
  readonly login: string;
  readonly state: 'active' | 'rejected';
  readonly scopes: readonly string[] | null;
  readonly observedAt: string;
  readonly advice: readonly string[];
}

export interface RepositoryRow {
  readonly id: string;
  readonly forge: string;
  readonly path: string;
  readonly url: string;
  readonly reviewer: string;
  readonly factory: string | null;
  readonly webhookSeenAt: string | null;
  readonly observe: boolean;
  readonly reviewDrafts: boolean;
  readonly blockOn: Severity | null;
  readonly showCost: boolean;
  readonly signal: { readonly ratio: number } | { readonly absent: string };
}

export interface ProviderRow {
  readonly name: string;
  readonly description: string;
  readonly pin: { readonly version: string; readonly digest: string } | null;
  readonly capabilities: readonly { readonly verb: string; readonly state: 'bound' | 'unsupported' | 'deprecated'; readonly says: string | null }[];
  readonly findings: readonly { readonly level: 'error' | 'warning' | 'note'; readonly sentence: string }[];
}

export interface ModelRow {
  readonly ref: string;
  readonly provider: string;
  readonly model: string;
  readonly protocol: string;
  readonly isDefault: boolean;
  readonly mode: 'metered' | 'unmetered' | 'unknown';
  readonly tools: readonly { readonly tool: string; readonly disposition: 'native' | 'adapt' | 'omit' | 'unavailable'; readonly reason: string }[];
  /** Absent for viewers. */
  readonly rates?: { readonly since: string | null; readonly source: string | null; readonly perMillion: Readonly<Record<string, number>> } | null;
}

export interface SpecialistRow {
  readonly key: string;
  readonly version: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly because: string;
  readonly rules: readonly { readonly id: string; readonly title: string; readonly severity: Severity }[];
  readonly signal: { readonly ratio: number } | { readonly absent: string };
}

export interface SpendSlice extends Cost {
  readonly name: string;
}

export interface Spend {
  readonly since: string;
  readonly total: Cost;
  readonly byCapability: readonly SpendSlice[];
  readonly byRepository: readonly SpendSlice[];
  readonly byModel: readonly SpendSlice[];
  readonly caps: readonly {
    readonly name: string;
    readonly measured: string;
    readonly reached: boolean;
    readonly returnsAt: string | null;
    readonly limit?: string;
  }[];
}

export interface DeliveryRow {
  readonly id: string;
  readonly registration: string;
  readonly arrivedAt: string;
  readonly problem: string | null;
}

export interface DeadLetterRow {
  readonly id: string;
  readonly origin: 'bus' | 'work';
  readonly group: string;
  readonly type: string;
  readonly key: string;
  readonly attempts: number;
  readonly failure: string;
  readonly diedAt: string;
}

export interface SettingRow {
  readonly name: string;
  readonly value: string | null;
  readonly origin: string;
  readonly secret: boolean;
  readonly env: string;
  readonly flag: string | null;
  readonly scope: 'operator' | 'repository';
  readonly description: string;
}

export interface FirstRunStep {
  readonly key: string;
  readonly title: string;
  readonly done: boolean;
  /** What was observed; null while nothing was. */
  readonly observed: string | null;
  readonly next: string;
  readonly command: string | null;
}
