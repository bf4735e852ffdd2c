/** What the fixture server answers, typed as the API's resources: each mark and each state of a page is in it at least once. */
import type { ChangeCard } from '@weir/contract';
import type * as api from '../api/resources.ts';

export const NOW: number = Date.UTC(2026, 8, 14, 10, 5, 0);
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();
const id = (number: number): string => number.toString(16).padStart(32, '0');

const change = (number: number, title: string, repository: string): ChangeCard => ({
  number,
  title,
  url: `https://forge.example/acme/${repository}/pull/${number}`,
  author: { id: '7', login: 'jlee', kind: 'person' } as ChangeCard['author'],
  state: 'open',
  draft: false,
});

interface Short {
  readonly number: number;
  readonly title: string;
  readonly repository: string;
  readonly status: api.ReviewRow['status'];
  readonly stage?: api.ReviewRow['stage'];
  readonly open?: readonly [number, number, number, number] | null;
  readonly cents?: number | null;
  readonly age: number;
}

const SHORT: readonly Short[] = [
  {
    number: 288,
    title: 'Add idempotency keys to refunds',
    repository: 'payments-api',
    status: 'refused',
    stage: 'generating',
    open: [0, 2, 3, 0],
    cents: 31,
    age: 120,
  },
  { number: 412, title: 'Refactor checkout session handling', repository: 'web', status: 'generating', open: null, cents: 6, age: 25 },
  {
    number: 284,
    title: 'Split settlement service out of billing',
    repository: 'payments-api',
    status: 'completed',
    open: [1, 2, 4, 1],
    cents: 44,
    age: 10_800,
  },
  { number: 409, title: 'Bump design-tokens to 2.4.0', repository: 'web', status: 'completed', open: [0, 0, 0, 0], cents: 9, age: 1_320 },
  {
    number: 134,
    title: 'Backfill job for partitioned events',
    repository: 'data-pipeline',
    status: 'failed',
    stage: 'posting',
    open: null,
    cents: null,
    age: 3_600,
  },
  { number: 57, title: 'Migrate cron runner to structured logs', repository: 'internal-tools', status: 'observed', open: [0, 1, 4, 0], cents: 27, age: 14_400 },
  {
    number: 405,
    title: 'Introduce feature-flag provider',
    repository: 'web',
    status: 'superseded',
    stage: 'gathering',
    open: [0, 0, 0, 0],
    cents: 11,
    age: 18_000,
  },
];

const reviewOf = ({ number, title, repository, status, stage = null, open = null, cents = 0, age }: Short): api.ReviewRow => ({
  id: id(number),
  repository: `acme/${repository}`,
  change: change(number, title, repository),
  round: 3,
  head: '1f7ab3d0c4e5f60718293a4b5c6d7e8f90a1b2c3',
  status,
  stage,
  archived: false,
  code: status === 'failed' ? 'FORGE_UNAVAILABLE' : status === 'refused' ? 'cap_reached' : null,
  open: open && { blocker: open[0], major: open[1], minor: open[2], note: open[3] },
  cost: { millicents: (cents ?? 0) * 1000, calls: 2, unpricedCalls: cents === null ? 1 : 0 },
  since: ago(age),
  updatedAt: ago(age),
});

export const REVIEWS: readonly api.ReviewRow[] = SHORT.map(reviewOf);
export const SETTLEMENT: string = id(284);

/** A list long enough for its pages. */
export const manyReviews = (count: number): readonly api.ReviewRow[] =>
  Array.from({ length: count }, (_, index) =>
    reviewOf({
      number: index + 1,
      title: `Change number ${index + 1}`,
      repository: 'web',
      status: 'completed',
      open: [0, index % 3, index % 5, 0],
      cents: index % 50,
      age: index * 60,
    }),
  );

export const arrivingReview: api.ReviewRow = reviewOf({
  number: 500,
  title: 'Arrives while you watch',
  repository: 'web',
  status: 'queued',
  open: null,
  age: 0,
});

const finding = (rest: Pick<api.FindingDetail, 'id' | 'severity' | 'path' | 'line'> & Partial<api.FindingDetail>): api.FindingDetail => ({
  rule: 'correctness/model',
  round: 2,
  status: 'open',
  side: 'new',
  posted: true,
  endLine: rest.line,
  text: null,
  sources: ['correctness'],
  thread: null,
  dismissal: null,
  verdicts: [],
  ...rest,
});

export const FINDINGS: readonly api.FindingDetail[] = [
  finding({
    id: '2a',
    severity: 'blocker',
    path: 'src/settlement/ledger.ts',
    line: 42,
    endLine: 43,
    text: {
      title: 'Ledger posts outside the transaction',
      message: 'If emit fails after post, the batch is settled twice on retry: the outbox row and the entries no longer commit together.',
      suggestion: 'await this.tx(() => this.post(entries));\nawait this.outbox.emit("settled", batch.id);',
      evidence: [
        { path: 'outbox.ts', line: 88, note: 'retries on any throw' },
        { path: 'ledger.test.ts', line: null, note: 'has no failing-emit case' },
      ],
    },
    thread: { id: 't1', resolved: false, settledBy: null, turns: 1, turnsSpent: false },
    verdicts: [{ round: 3, verdict: 'still_open' }],
  }),
  finding({
    id: '3a',
    round: 3,
    severity: 'major',
    path: 'src/settlement/retry.ts',
    line: 17,
    text: { title: 'Retry has no ceiling', message: 'A batch that always fails is tried for ever.', suggestion: null, evidence: [] },
  }),
  finding({
    id: '1a',
    round: 1,
    severity: 'minor',
    status: 'dismissed',
    path: 'src/settlement/names.ts',
    line: 3,
    text: { title: 'Name says batch, value is a page', message: 'The next reader looks for batches.', suggestion: null, evidence: [] },
    dismissal: { by: 'jlee', reason: 'The vendor calls it a batch.' },
  }),
  finding({
    id: '1b',
    round: 1,
    severity: 'note',
    status: 'resolved',
    path: 'src/settlement/ledger.ts',
    line: 200,
    thread: { id: 't2', resolved: true, settledBy: 'jlee', turns: 0, turnsSpent: false },
    verdicts: [{ round: 2, verdict: 'resolved' }],
  }),
];

const CHARGES: readonly api.ChargeRow[] = [
  {
    callRef: 'a',
    at: ago(10_860),
    capability: 'reconcile',
    model: 'anthropic/sonnet-4.6',
    repository: 'acme/payments-api',
    inputTokens: 12_004,
    cachedTokens: 9_004,
    outputTokens: 791,
    millicents: 12_000,
    pricedMillicents: 12_000,
  },
  {
    callRef: 'b',
    at: ago(10_840),
    capability: 'review',
    model: 'anthropic/sonnet-4.6',
    repository: 'acme/payments-api',
    inputTokens: 26_108,
    cachedTokens: 20_000,
    outputTokens: 3_000,
    millicents: 32_000,
    pricedMillicents: 32_000,
  },
];

const step = (status: api.RoundDetail['status'], seconds: number) => ({ status, at: ago(seconds) });

const ROUND: api.RoundDetail = {
  round: 3,
  head: '1f7ab3d0c4e5f60718293a4b5c6d7e8f90a1b2c3',
  previousHead: null,
  by: null,
  headline: null,
  cause: 'pushed',
  status: 'completed',
  observe: false,
  attempt: 1,
  steps: [
    step('queued', 10_852),
    step('fetching', 10_851),
    step('gathering', 10_848),
    step('generating', 10_843),
    step('posting', 10_804),
    step('completed', 10_800),
  ],
  diff: { files: 18, addedLines: 212, removedLines: 90, bytes: 48_000, truncated: false, renames: [] },
  reading: { full: 18, partial: 0, skipped: 0, byRule: 2 },
  missing: [{ source: 'linked issue', reason: 'the forge did not answer in time' }],
  reason: null,
  reconciliation: { resolved: 1, open: 1, unchanged: 1, added: 1, tracked: 0 },
};

export const detailOf = (row: api.ReviewRow): api.ReviewDetail => ({
  ...row,
  url: row.change?.url ?? null,
  verdict: { ready: false, headline: 'Not ready: 1 blocker is open.' },
  rounds: [
    { ...ROUND, round: 1, cause: 'opened', head: '0a1b2c3d4e5f', steps: [], reading: null, reconciliation: null },
    { ...ROUND, round: 2, status: 'superseded', head: '9a01f6e12345', steps: [], reading: null, reconciliation: null },
    { ...ROUND, status: row.status ?? 'queued', reason: row.status === 'refused' ? 'A limit of this deployment is reached: 41 calls in the last hour.' : null },
  ],
  findings: [...FINDINGS],
  charges: [...CHARGES],
  madeBy: { specialists: ['correctness', 'security'], model: 'anthropic/sonnet-4.6', weir: '0.1.0', account: '@bot-review', prompts: null, rules: null },
});

const lines = (text: string): api.DiffFile['hunks'][number]['lines'] =>
  text.split('\n').map(line => ({ kind: line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'context', text: line.slice(1) }));

export const FILES: readonly api.DiffFile[] = [
  {
    path: 'src/settlement/ledger.ts',
    oldPath: 'src/settlement/ledger.ts',
    kind: 'modified',
    meaning: 'core',
    addedLines: 2,
    removedLines: 1,
    problem: null,
    hunks: [
      {
        oldStart: 41,
        newStart: 41,
        lines: lines(
          "   const entries = await this.open(batch);\n-  await this.tx(() => this.post(entries));\n+  await this.post(entries);\n+  await this.outbox.emit('settled', batch.id);\n   return entries.length;\n }",
        ),
      },
    ],
  },
  {
    path: 'src/settlement/retry.ts',
    oldPath: null,
    kind: 'added',
    meaning: 'edges',
    addedLines: 3,
    removedLines: 0,
    problem: null,
    hunks: [{ oldStart: 0, newStart: 16, lines: lines('+export async function retry(run: () => Promise<void>) {\n+  for (;;) await run();\n+}') }],
  },
  {
    path: 'logo.png',
    oldPath: null,
    kind: 'added',
    meaning: 'edges',
    addedLines: 0,
    removedLines: 0,
    problem: 'It is binary; only its name is shown.',
    hunks: [],
  },
];

/** 3,000 lines in one file. */
export const LONG_FILE: api.DiffFile = {
  path: 'src/generated/table.ts',
  oldPath: null,
  kind: 'added',
  meaning: 'edges',
  addedLines: 3000,
  removedLines: 0,
  problem: null,
  hunks: Array.from({ length: 60 }, (_, hunk) => ({
    oldStart: 0,
    newStart: hunk * 50 + 1,
    lines: Array.from({ length: 50 }, (__, line) => ({
      kind: 'add' as const,
      text: `export const ROW_${hunk * 50 + line} = { key: ${line}, text: 'row ${line}' };`,
    })),
  })),
};

const event = (place: number, seconds: number, type: string, summary: string): api.EventRow => ({
  id: `e${place}`,
  position: `900-${place}`,
  at: ago(seconds),
  type,
  summary,
  reviewId: SETTLEMENT,
  cause: place === 1 ? null : `e${place - 1}`,
  correlation: 'c1',
});

export const EVENTS: readonly api.EventRow[] = [
  event(1, 10_852, 'RoundRequested', 'round 3 at 1f7ab3d: pushed'),
  event(2, 10_851, 'RoundBegan', 'reading the change'),
  event(3, 10_848, 'DiffRecorded', '18 files, +212 −90'),
  event(4, 10_843, 'ContextRecorded', 'without linked issue (the forge did not answer in time)'),
  event(5, 10_804, 'FindingsRecorded', '1 finding, and 2 that open threads track'),
  event(6, 10_800, 'RoundPosted', '1 finding and 4 answers'),
];

export const INBOX: api.Inbox = {
  items: [
    {
      code: 'review_failed',
      subject: id(134),
      sentence: 'Round 3 failed with FORGE_UNAVAILABLE.',
      action: 'Mend the cause, then run the round again.',
      blocking: false,
      since: ago(3600),
      deadline: null,
      link: `/reviews/${id(134)}`,
      acknowledgeable: false,
    },
    {
      code: 'cap_reached',
      subject: '41 calls',
      sentence: 'A limit is reached: 41 calls in the last hour.',
      action: 'Wait, or raise the limit.',
      blocking: true,
      since: ago(120),
      deadline: new Date(NOW + 2_280_000).toISOString(),
      link: '/spend',
      acknowledgeable: false,
    },
    {
      code: 'unpriced_calls',
      subject: null,
      sentence: '1 call has no known price.',
      action: 'Give the rates of its model.',
      blocking: false,
      since: null,
      deadline: null,
      link: '/models',
      acknowledgeable: true,
    },
  ],
};

export const SPEND: api.Spend = {
  since: ago(2_592_000),
  total: { millicents: 418_000, calls: 41, unpricedCalls: 1 },
  byCapability: [
    { name: 'review', millicents: 380_000, calls: 30, unpricedCalls: 1 },
    { name: 'conversation', millicents: 38_000, calls: 11, unpricedCalls: 0 },
  ],
  byModel: [{ name: 'anthropic/sonnet-4.6', millicents: 418_000, calls: 41, unpricedCalls: 1 }],
  byRepository: [
    { name: 'acme/payments-api', millicents: 300_000, calls: 21, unpricedCalls: 0 },
    { name: 'acme/web', millicents: 118_000, calls: 20, unpricedCalls: 1 },
  ],
  caps: [{ name: 'Spend of a day', measured: '$4.18', limit: '$40.00', reached: false, returns: null }],
};

export const REPOSITORIES: readonly api.RepositoryRow[] = ['payments-api', 'web', 'internal-tools'].map((name, index) => ({
  id: `r${index}`,
  forge: 'github',
  path: `acme/${name}`,
  url: `https://forge.example/acme/${name}`,
  reviewer: '@bot-review',
  factory: null,
  webhookSeenAt: index === 2 ? null : ago(index * 4000 + 25),
  observe: index === 2,
  reviewDrafts: false,
  blockOn: index === 0 ? 'blocker' : null,
  showCost: true,
  signal: index === 0 ? { ratio: 0.72, of: 40 } : { absent: 'too few findings' },
}));

export const ACCOUNTS: readonly api.AccountRow[] = [
  {
    id: 'a1',
    forge: 'github',
    origin: 'https://github.com',
    role: 'reviewer',
    login: '@bot-review',
    state: 'active',
    scopes: ['repo', 'read:org'],
    observedAt: ago(400),
    advice: [],
  },
  {
    id: 'a2',
    forge: 'gitea',
    origin: 'https://git.example',
    role: 'reviewer',
    login: '@weir',
    state: 'rejected',
    scopes: null,
    observedAt: ago(90_000),
    advice: ['Replace the token.'],
  },
];

export const PROVIDERS: readonly api.ProviderRow[] = [
  {
    name: 'github',
    description: 'GitHub REST v3, with GraphQL for threads',
    builtIn: true,
    pin: { version: '1.1.4', digest: 'sha256:4be1c90' },
    capabilities: [
      { verb: 'change.get', state: 'bound', says: null },
      { verb: 'thread.resolve', state: 'bound', says: 'by GraphQL' },
      { verb: 'change.labels', state: 'deprecated', says: 'The vendor ends it on 2027-01-01.' },
      { verb: 'reaction.remove', state: 'unsupported', says: 'Reactions stay.' },
    ],
    findings: [{ level: 'warning', sentence: 'One bound operation is deprecated.' }],
  },
];

const MODEL: api.ModelRow = {
  ref: 'anthropic/sonnet-4.6',
  provider: 'anthropic',
  model: 'sonnet-4.6',
  upstreamModel: 'claude-sonnet-4-6',
  protocol: 'messages',
  isDefault: true,
  mode: 'metered',
  tools: [
    { tool: 'shell', disposition: 'native', reason: 'the upstream knows functions' },
    { tool: 'apply_patch', disposition: 'adapt', reason: 'free text is sealed in one string' },
    { tool: 'web_search', disposition: 'unavailable', reason: 'a hosted tool of another protocol' },
  ],
};
export const modelsFor = (role: api.Role): readonly api.ModelRow[] => [
  {
    ...MODEL,
    ...(role === 'admin' && { rates: { since: '2026-09-01', source: 'price list', perMillion: { input: 300_000, output: 1_500_000, cached_input: 30_000 } } }),
  },
  {
    ...MODEL,
    ref: 'local/qwen',
    provider: 'local',
    model: 'qwen',
    upstreamModel: 'qwen3',
    protocol: 'chat',
    isDefault: false,
    mode: 'unknown',
    tools: [],
    ...(role === 'admin' && { rates: null }),
  },
];

export const SPECIALISTS: readonly api.SpecialistRow[] = [
  {
    key: 'secrets',
    title: 'Secrets',
    description: 'Credentials in a change, found without a model.',
    enabled: true,
    because: 'default',
    rules: [{ id: 'secrets/stripe-live-key', title: 'Live key of Stripe', severity: 'blocker' }],
    signal: { ratio: 0.94, of: 12 },
  },
  {
    key: 'migrations',
    title: 'Migrations',
    description: 'Migrations that lock or lose.',
    enabled: false,
    because: 'off by default',
    rules: [],
    signal: { absent: 'it is off' },
  },
];

export const DELIVERIES: readonly api.DeliveryRow[] = [
  { id: 'h1/72d3162e', registration: 'h1', arrivedAt: ago(40), problem: null },
  { id: 'h1/5ab0917c', registration: 'h1', arrivedAt: ago(7000), problem: 'The event watch is not mapped.' },
];

export const DEAD_LETTERS: readonly api.DeadLetterRow[] = [
  {
    id: 'd1',
    origin: 'work',
    group: 'post-round',
    type: 'PostRound',
    key: id(134),
    attempts: 8,
    failure: 'FORGE_UNAVAILABLE: the forge answered 503',
    diedAt: ago(3500),
  },
];

export const SETTINGS: readonly api.SettingRow[] = [
  {
    name: 'model.name',
    value: 'sonnet-4.6',
    isSet: true,
    origin: 'environment WEIR_MODEL',
    secret: false,
    env: 'WEIR_MODEL',
    flag: '--model',
    scope: 'operator',
    description: 'Model to ask, as the endpoint names it.',
  },
  {
    name: 'model.key',
    value: null,
    isSet: true,
    origin: 'file WEIR_MODEL_KEY_FILE',
    secret: true,
    env: 'WEIR_MODEL_KEY',
    flag: null,
    scope: 'operator',
    description: 'Key for the model endpoint.',
  },
  {
    name: 'review.maxInline',
    value: '7',
    isSet: true,
    origin: 'default',
    secret: false,
    env: 'WEIR_REVIEW_MAX_INLINE',
    flag: null,
    scope: 'repository',
    description: 'Inline comments of a round at most.',
  },
];

export const FIRST_RUN: readonly api.FirstRunStep[] = [
  { key: 'account', title: 'An account of a forge', done: true, observed: 'github says that it is @bot-review.', next: '', command: null },
  { key: 'repository', title: 'A repository', done: true, observed: 'acme/web is registered.', next: '', command: null },
  {
    key: 'webhook',
    title: 'A signed delivery',
    done: false,
    observed: null,
    next: 'Open a pull request, or send a test delivery from the forge.',
    command: null,
  },
  { key: 'model', title: 'A model', done: false, observed: null, next: 'Give the address and the key of a model endpoint.', command: 'weir models add' },
];

export const WHY: api.WhyAnswer = {
  figure: 'resolved',
  value: 1,
  sentence: 'findings of earlier rounds that round 3 answers as resolved',
  events: EVENTS.slice(4).map(({ reviewId, position, type, at, summary }) => ({ reviewId, position, type, at, summary })),
  charges: CHARGES.slice(0, 1),
  next: null,
};
