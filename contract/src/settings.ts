/**
 * Every option of Weir, as data (10-house 2.6). Flags, environment names, help, the reference page and the JSON Schema
 * are generated from this table; nothing else lists options.
 */
import { SEVERITIES } from './severity.ts';

export type SettingType =
  | { readonly kind: 'string' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'list' }
  /** Globs of paths: `*` and `?` within a folder's name, `**` across folders, `{a,b}`. */
  | { readonly kind: 'globs' }
  /** Patterns of any text: `*` stands for any text, `?` for one character, nothing else is special. */
  | { readonly kind: 'patterns' }
  /** A text or a number that a policy reads; what it cannot read is no limit, and a warning, never an error (REV-31). */
  | { readonly kind: 'limit' };

export interface Setting {
  /** Dotted path in the settings file. */
  readonly name: string;
  readonly env: string;
  /** Long flag without its value; null when the option has no flag. */
  readonly flag: string | null;
  readonly type: SettingType;
  readonly default: string | number | boolean | readonly string[] | null;
  readonly secret: boolean;
  /** Who may set it: the operator alone, or a repository too, which can only narrow (REV-37). */
  readonly scope: 'operator' | 'repository';
  /** How a repository's value narrows; present exactly when the scope is repository. */
  readonly narrows?: 'adds-entries' | 'lowers' | 'stricter';
  readonly description: string;
}

const LIST = { kind: 'list' } as const;
const GLOBS = { kind: 'globs' } as const;
const PATTERNS = { kind: 'patterns' } as const;
const TEXT = { kind: 'string' } as const;
const LIMIT = { kind: 'limit' } as const;
const integer = (min: number, max: number) => ({ kind: 'integer', min, max }) as const;

export const OUTPUT_FORMATS = ['human', 'json', 'jsonl', 'sarif', 'rdjson', 'github'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const FAIL_ON = [...SEVERITIES, 'never'] as const;
export type FailOn = (typeof FAIL_ON)[number];

export const BLOCK_ON = [...SEVERITIES, 'none'] as const;
export type BlockOn = (typeof BLOCK_ON)[number];

const setting = <const Name extends string>(
  name: Name,
  env: string,
  rest: Pick<Setting, 'type' | 'default' | 'description'> & Partial<Omit<Setting, 'name' | 'env'>>,
): Setting & { readonly name: Name } => ({ name, env, flag: null, secret: false, scope: 'operator', ...rest });

export const SETTINGS = [
  setting('model.baseUrl', 'WEIR_MODEL_BASE_URL', {
    flag: '--model-base-url',
    type: TEXT,
    default: null,
    description: 'Root of a Chat Completions API, usually its address up to /v1. Unset: no model is asked.',
  }),
  setting('model.key', 'WEIR_MODEL_KEY', {
    type: TEXT,
    default: null,
    secret: true,
    description: 'Key for the model endpoint. WEIR_MODEL_KEY_FILE names a file that holds it.',
  }),
  setting('model.name', 'WEIR_MODEL', { flag: '--model', type: TEXT, default: null, description: 'Model to ask, as the endpoint names it.' }),
  setting('model.contextTokens', 'WEIR_MODEL_CONTEXT_TOKENS', {
    type: integer(4_000, 10_000_000),
    default: 128_000,
    description: 'Tokens that the model takes in one call, input and output together.',
  }),
  setting('model.maxOutputTokens', 'WEIR_MODEL_MAX_OUTPUT_TOKENS', {
    type: integer(256, 1_000_000),
    default: 8_000,
    description: 'Tokens that one answer may have.',
  }),
  setting('model.outputTokenParameter', 'WEIR_MODEL_OUTPUT_TOKEN_PARAMETER', {
    type: { kind: 'choice', values: ['max_tokens', 'max_completion_tokens'] },
    default: 'max_tokens',
    description: 'Name of the request field that bounds the answer; some models take max_completion_tokens.',
  }),
  setting('model.jsonMode', 'WEIR_MODEL_JSON_MODE', {
    type: { kind: 'boolean' },
    default: true,
    description: 'Ask for a JSON object with response_format. Switch off for endpoints that refuse the field.',
  }),
  setting('model.streamUsage', 'WEIR_MODEL_STREAM_USAGE', {
    type: { kind: 'boolean' },
    default: true,
    description: 'Ask for token counts with stream_options. Switch off for endpoints that refuse the field; counts are then unknown.',
  }),
  setting('model.temperature', 'WEIR_MODEL_TEMPERATURE', {
    type: { kind: 'number', min: 0, max: 2 },
    default: null,
    description: 'Sampling temperature. Unset: the field is not sent, which reasoning models require.',
  }),
  setting('model.timeoutSeconds', 'WEIR_MODEL_TIMEOUT_SECONDS', {
    type: integer(1, 3_600),
    default: 60,
    description: 'Seconds until the first byte of an answer (REV-20).',
  }),
  setting('model.maxCalls', 'WEIR_MODEL_MAX_CALLS', {
    flag: '--max-calls',
    type: integer(1, 64),
    default: 4,
    description: 'Model calls that one review may make (REV-16b).',
  }),
  setting('network.allowOrigins', 'WEIR_ALLOW_ORIGINS', {
    flag: '--allow-origin',
    type: LIST,
    default: [],
    description: 'Origins (scheme, host, port) that may be http or private, for example http://127.0.0.1:11434 (REV-40).',
  }),
  setting('review.failOn', 'WEIR_FAIL_ON', {
    flag: '--fail-on',
    type: { kind: 'choice', values: FAIL_ON },
    default: 'blocker',
    scope: 'repository',
    narrows: 'stricter',
    description: 'Severity from which the exit code is 1.',
  }),
  setting('review.base', 'WEIR_BASE', {
    flag: '--base',
    type: TEXT,
    default: null,
    description: 'Branch or commit that a change is compared with. Unset: the default branch.',
  }),
  setting('review.exclude', 'WEIR_EXCLUDE', {
    flag: '--exclude',
    type: GLOBS,
    default: [],
    scope: 'repository',
    narrows: 'adds-entries',
    description: 'Globs of paths that are not reviewed (REV-20d).',
  }),
  setting('review.ignoreGenerated', 'WEIR_IGNORE_GENERATED', {
    type: { kind: 'boolean' },
    default: true,
    description: 'Leave out files that .gitattributes marks linguist-generated or linguist-vendored.',
  }),
  setting('review.ignoreTitles', 'WEIR_IGNORE_TITLES', {
    type: PATTERNS,
    default: [],
    description: 'Patterns of change titles (for a local range: the subject of its last commit) that are not reviewed.',
  }),
  setting('review.ignoreBranches', 'WEIR_IGNORE_BRANCHES', { type: PATTERNS, default: [], description: 'Patterns of branches that are not reviewed.' }),
  setting('review.ignoreAuthors', 'WEIR_IGNORE_AUTHORS', {
    type: PATTERNS,
    default: [],
    description: 'Patterns of author names or e-mail addresses (of the last commit of a range) that are not reviewed.',
  }),
  setting('review.ignoreLabels', 'WEIR_IGNORE_LABELS', {
    type: PATTERNS,
    default: [],
    scope: 'repository',
    narrows: 'adds-entries',
    description: 'Patterns of labels on a forge: a change that has one is not reviewed (REV-20d).',
  }),
  setting('review.maxFileBytes', 'WEIR_MAX_FILE_BYTES', {
    type: integer(1_000, 1_000_000_000),
    default: 1_000_000,
    scope: 'repository',
    narrows: 'lowers',
    description: 'Bytes of one file of the diff; a larger one is skipped and named (REV-14).',
  }),
  setting('review.maxDiffBytes', 'WEIR_MAX_DIFF_BYTES', {
    type: integer(1_000, 4_000_000_000),
    default: 64_000_000,
    description: 'Bytes of the whole diff that are held; files beyond are skipped and named.',
  }),
  setting('review.maxFindings', 'WEIR_MAX_FINDINGS', {
    type: integer(1, 100_000),
    default: 1_000,
    description: 'Findings that a report lists; the rest is counted.',
  }),
  setting('review.specialists', 'WEIR_SPECIALISTS', {
    flag: '--specialist',
    type: LIST,
    default: [],
    description: 'Keys of the specialists that run. Empty: all.',
  }),
  setting('review.rulesFiles', 'WEIR_RULES_FILES', {
    type: LIST,
    default: ['.weir/rules.md', 'AGENTS.md', 'CLAUDE.md'],
    description: 'Files of rules, read from the target branch and shown to the model as data (REV-20c, REV-36).',
  }),
  setting('forge.token', 'WEIR_FORGE_TOKEN', {
    type: TEXT,
    default: null,
    secret: true,
    description: 'Token with which weir review --post reads the change and posts. WEIR_FORGE_TOKEN_FILE names a file that holds it.',
  }),
  setting('forge.user', 'WEIR_FORGE_USER', {
    flag: '--forge-user',
    type: TEXT,
    default: null,
    description: 'Whose token forge.token is, as a login or id:<stable id>, where the forge does not tell a token its owner. Unset: the forge is asked.',
  }),
  setting('forge.provider', 'WEIR_FORGE', {
    flag: '--forge',
    type: TEXT,
    default: null,
    description: 'Provider of the change of weir review --post (weir provider list). Unset: read off the address.',
  }),
  setting('forge.apiUrl', 'WEIR_FORGE_API_URL', {
    flag: '--forge-api',
    type: TEXT,
    default: null,
    description: "Address of the forge's API where it is not that of its pages.",
  }),
  setting('post.observe', 'WEIR_POST_OBSERVE', {
    flag: '--observe',
    type: { kind: 'boolean' },
    default: false,
    description: 'weir review --post runs everything and posts nothing (REV-9).',
  }),
  setting('post.drafts', 'WEIR_POST_DRAFTS', {
    flag: '--drafts',
    type: { kind: 'boolean' },
    default: false,
    description: 'weir review --post reviews drafts too (REV-9).',
  }),
  setting('post.blockOn', 'WEIR_POST_BLOCK_ON', {
    flag: '--block-on',
    type: { kind: 'choice', values: BLOCK_ON },
    default: 'none',
    description: 'Severity from which the check of weir review --post fails; none: it never does. The exit code is --fail-on.',
  }),
  setting('output.format', 'WEIR_FORMAT', {
    flag: '--format',
    type: { kind: 'choice', values: OUTPUT_FORMATS },
    default: 'human',
    description: 'How the result is printed on stdout.',
  }),
  setting('output.quiet', 'WEIR_QUIET', { flag: '--quiet', type: { kind: 'boolean' }, default: false, description: 'No progress and no notes on stderr.' }),
  setting('output.verbose', 'WEIR_VERBOSE', {
    flag: '--verbose',
    type: { kind: 'boolean' },
    default: false,
    description: 'More detail in the result and on stderr.',
  }),
  setting('state.dir', 'WEIR_STATE_DIR', {
    flag: '--state-dir',
    type: TEXT,
    default: null,
    description: 'Where the last review is kept. Unset: $XDG_STATE_HOME/weir.',
  }),
  setting('storage.database', 'WEIR_STORAGE_DATABASE', {
    type: TEXT,
    default: null,
    secret: true,
    description:
      'Address of a PostgreSQL database (15 or newer), postgres://user:password@host:port/name, where receipts and the audit log are kept. Unset: an embedded database in $XDG_DATA_HOME/weir.',
  }),
  setting('bus.kafka', 'WEIR_BUS_KAFKA', {
    type: LIST,
    default: [],
    description:
      'Brokers of Apache Kafka that carry events between the processes of a server, host:port each (in the environment separated by commas). Unset: the database carries them.',
  }),
  setting('bus.kafkaReplicas', 'WEIR_BUS_KAFKA_REPLICAS', {
    type: integer(1, 15),
    default: 1,
    description: 'Brokers that keep a copy of each message, no more than there are; read when the topics are made, at the first start.',
  }),
  setting('bus.kafkaTls', 'WEIR_BUS_KAFKA_TLS', {
    type: { kind: 'boolean' },
    default: false,
    description: 'Whether the brokers are spoken to over TLS; their certificates and names are then checked.',
  }),
  setting('bus.kafkaCa', 'WEIR_BUS_KAFKA_CA', {
    type: TEXT,
    default: null,
    description: 'A PEM file with the authority that signs the certificates of the brokers. Unset: the authorities that Node.js knows.',
  }),
  setting('bus.kafkaSasl', 'WEIR_BUS_KAFKA_SASL', {
    type: { kind: 'choice', values: ['plain', 'scram-sha-256', 'scram-sha-512'] },
    default: null,
    description: 'How the brokers are told who asks; plain needs bus.kafkaTls. Unset: they are not told.',
  }),
  setting('bus.kafkaUser', 'WEIR_BUS_KAFKA_USER', { type: TEXT, default: null, description: 'The name for bus.kafkaSasl.' }),
  setting('bus.kafkaPassword', 'WEIR_BUS_KAFKA_PASSWORD', {
    type: TEXT,
    default: null,
    secret: true,
    description: 'The password for bus.kafkaSasl. WEIR_BUS_KAFKA_PASSWORD_FILE names a file that holds it.',
  }),
  setting('server.leaseSeconds', 'WEIR_SERVER_LEASE_SECONDS', {
    type: integer(2, 3_600),
    default: 30,
    description:
      'Seconds after which another process of a server takes over what a silent one has under way; the same in each. The embedded database has one process, which takes over at its start.',
  }),
  setting('server.reviews', 'WEIR_SERVER_REVIEWS', {
    type: integer(1, 256),
    default: 8,
    description: 'Pieces of work that one reviewer process has under way at a time; mostly they wait for a forge or a model.',
  }),
  setting('gateway.operatorKey', 'WEIR_GATEWAY_OPERATOR_KEY', {
    type: TEXT,
    default: null,
    secret: true,
    description:
      "The operator's key for POST /v1/route/plan of the gateway (MOD-18), at least 32 printable characters; the same in each process. Unset: a new one for each run, for the commands of this machine alone.",
  }),
  setting('dashboard.host', 'WEIR_DASHBOARD_HOST', {
    flag: '--dashboard-host',
    type: TEXT,
    default: '127.0.0.1',
    description: 'Address that the dashboard listens on. Another one than of this machine needs an identity provider, or dashboard.insecure (REV-39a).',
  }),
  setting('dashboard.publicUrl', 'WEIR_DASHBOARD_PUBLIC_URL', {
    type: TEXT,
    default: null,
    description: 'Where browsers find the dashboard, scheme, host and port, for example https://weir.example.com. Unset: the address that it listens on.',
  }),
  setting('dashboard.insecure', 'WEIR_DASHBOARD_INSECURE', {
    flag: '--dashboard-insecure',
    type: { kind: 'boolean' },
    default: false,
    description: 'Lets the dashboard listen on another address than of this machine without an identity provider, or be found without https (REV-39a).',
  }),
  setting('oidc.issuer', 'WEIR_OIDC_ISSUER', {
    type: TEXT,
    default: null,
    description: 'Issuer of the identity provider that signs people in by OpenID Connect (REV-39a). Unset: one local admin, by a link that works once.',
  }),
  setting('oidc.clientId', 'WEIR_OIDC_CLIENT_ID', { type: TEXT, default: null, description: 'Id of this deployment at the identity provider.' }),
  setting('oidc.clientSecret', 'WEIR_OIDC_CLIENT_SECRET', {
    type: TEXT,
    default: null,
    secret: true,
    description: 'Secret of this deployment at the identity provider. Unset: a public client, which PKCE alone proves.',
  }),
  setting('oidc.scopes', 'WEIR_OIDC_SCOPES', {
    type: LIST,
    default: ['profile', 'email'],
    description: 'Scopes that are asked for besides openid, for example groups.',
  }),
  setting('oidc.groupsClaim', 'WEIR_OIDC_GROUPS_CLAIM', { type: TEXT, default: 'groups', description: 'Claim that lists the groups of a person.' }),
  setting('oidc.admins', 'WEIR_OIDC_ADMINS', {
    type: LIST,
    default: [],
    description: 'Who has the role admin: group:NAME, email:ADDRESS (which the provider has verified) or sub:ID.',
  }),
  setting('oidc.viewers', 'WEIR_OIDC_VIEWERS', {
    type: LIST,
    default: [],
    description: 'Who has the role viewer, in the same words; * is everyone whom the provider signs in.',
  }),
  setting('caps.spend', 'WEIR_CAP_SPEND', {
    type: LIMIT,
    default: null,
    description:
      'Dollars of all model calls in the window from which reviews and conversations make no more calls, for example 50.00 (REV-31). Unset: no limit.',
  }),
  setting('caps.calls', 'WEIR_CAP_CALLS', {
    type: LIMIT,
    default: null,
    description: 'Number of all model calls in the window from which reviews and conversations make no more (REV-31). Unset: no limit.',
  }),
  setting('caps.window', 'WEIR_CAP_WINDOW', {
    type: LIMIT,
    default: '24h',
    description: 'The rolling window of caps.spend and caps.calls, back from now: minutes, hours or days (45m, 24h, 30d).',
  }),
  setting('caps.changedFiles', 'WEIR_CAP_CHANGED_FILES', {
    type: LIMIT,
    default: null,
    description: 'Changed files of a change; a larger one is not reviewed on a forge (REV-31). Unset: no limit.',
  }),
  setting('caps.diffBytes', 'WEIR_CAP_DIFF_BYTES', {
    type: LIMIT,
    default: null,
    description: 'Bytes of the diff of a change; a larger one is not reviewed on a forge (REV-31). Unset: no limit.',
  }),
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];
