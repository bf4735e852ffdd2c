/** The deployment as the API tells it: what needs a person, what is registered, what is installed, what could not be processed. No secret is in it. */
import { z } from 'zod';
import { Severity } from '../finding.ts';
import { API_ROLES } from './route.ts';

const count = z.number().int().nonnegative();
const at = z.iso.datetime();

export const ApiPrincipal = z.strictObject({ subject: z.string(), name: z.string(), role: z.enum(API_ROLES) });
export type ApiPrincipal = z.infer<typeof ApiPrincipal>;

/** `signIn`: where a person signs in with the identity provider; null where the server's one-time link is the way. */
export const ApiSession = z.strictObject({ principal: ApiPrincipal.nullable(), signIn: z.string().nullable() });
export type ApiSession = z.infer<typeof ApiSession>;

export const ApiInboxRow = z.strictObject({
  code: z.string(),
  subject: z.string().nullable(),
  sentence: z.string(),
  action: z.string(),
  blocking: z.boolean(),
  since: at.nullable(),
  /** By when; null: nothing ends by itself. */
  deadline: at.nullable(),
  /** Path of the page that helps. */
  link: z.string().nullable(),
  /** Nothing can be mended any more: who knows of it may say so, and it comes back with a new cause. */
  acknowledgeable: z.boolean(),
});
export type ApiInboxRow = z.infer<typeof ApiInboxRow>;
export const ApiInboxKey = ApiInboxRow.pick({ code: true, subject: true });
export type ApiInboxKey = z.infer<typeof ApiInboxKey>;
export const ApiInbox = z.strictObject({ items: z.array(ApiInboxRow) });
export type ApiInbox = z.infer<typeof ApiInbox>;

export const ApiAccount = z.strictObject({
  id: z.string(),
  forge: z.string(),
  origin: z.string(),
  role: z.enum(['reviewer', 'factory']),
  login: z.string(),
  state: z.enum(['active', 'rejected']),
  /** Null where the credential does not tell. */
  scopes: z.array(z.string()).nullable(),
  observedAt: at,
  advice: z.array(z.string()),
});
export type ApiAccount = z.infer<typeof ApiAccount>;

/** Share of findings that people acted on, or why it cannot be said. */
export const ApiSignal = z.union([z.strictObject({ ratio: z.number().min(0).max(1), of: count }), z.strictObject({ absent: z.string() })]);
export type ApiSignal = z.infer<typeof ApiSignal>;

/** What an administrator may change of a repository. */
export const ApiRepositoryRules = z.strictObject({
  observe: z.boolean(),
  reviewDrafts: z.boolean(),
  blockOn: Severity.nullable(),
  showCost: z.boolean(),
});
export type ApiRepositoryRules = z.infer<typeof ApiRepositoryRules>;

export const ApiRepository = z.strictObject({
  id: z.string(),
  forge: z.string(),
  path: z.string(),
  url: z.string(),
  reviewer: z.string(),
  factory: z.string().nullable(),
  webhookSeenAt: at.nullable(),
  ...ApiRepositoryRules.shape,
  signal: ApiSignal,
});
export type ApiRepository = z.infer<typeof ApiRepository>;

export const ApiProvider = z.strictObject({
  name: z.string(),
  description: z.string(),
  builtIn: z.boolean(),
  pin: z.strictObject({ version: z.string(), digest: z.string() }).nullable(),
  capabilities: z.array(z.strictObject({ verb: z.string(), state: z.enum(['bound', 'unsupported', 'deprecated']), says: z.string().nullable() })),
  findings: z.array(z.strictObject({ level: z.enum(['error', 'warning', 'note']), sentence: z.string() })),
});
export type ApiProvider = z.infer<typeof ApiProvider>;

export const ApiModel = z.strictObject({
  ref: z.string(),
  provider: z.string(),
  model: z.string(),
  upstreamModel: z.string(),
  protocol: z.string(),
  isDefault: z.boolean(),
  mode: z.enum(['metered', 'unmetered', 'unknown']),
  /** What becomes of a tool of each kind on this route. */
  tools: z.array(z.strictObject({ tool: z.string(), disposition: z.enum(['native', 'adapt', 'omit', 'unavailable']), reason: z.string() })),
  /** Millicents per million tokens; administrators alone have the key, null for a model without rates. */
  rates: z
    .strictObject({ since: z.string().nullable(), source: z.string().nullable(), perMillion: z.record(z.string(), z.number()) })
    .nullable()
    .optional(),
});
export type ApiModel = z.infer<typeof ApiModel>;

export const ApiSpecialist = z.strictObject({
  key: z.string(),
  title: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  because: z.string(),
  rules: z.array(z.strictObject({ id: z.string(), title: z.string(), severity: Severity })),
  signal: ApiSignal,
});
export type ApiSpecialist = z.infer<typeof ApiSpecialist>;

export const ApiDelivery = z.strictObject({ id: z.string(), registration: z.string(), arrivedAt: at, problem: z.string().nullable() });
export type ApiDelivery = z.infer<typeof ApiDelivery>;

/** What became of a delivery that was taken once more. */
export const ApiReplayed = z.strictObject({
  position: z.null(),
  outcome: z.enum(['stored', 'repeated', 'ignored', 'unregistered', 'unreadable']),
  reason: z.string().nullable(),
});
export type ApiReplayed = z.infer<typeof ApiReplayed>;

export const ApiDeadLetter = z.strictObject({
  id: z.string(),
  origin: z.enum(['bus', 'work']),
  group: z.string(),
  type: z.string(),
  key: z.string(),
  attempts: count,
  failure: z.string(),
  diedAt: at,
});
export type ApiDeadLetter = z.infer<typeof ApiDeadLetter>;

export const ApiSetting = z.strictObject({
  name: z.string(),
  /** Null where it is unset, and always for a secret. */
  value: z.string().nullable(),
  /** It has a value, which for a secret is all that is told. */
  isSet: z.boolean(),
  origin: z.string(),
  secret: z.boolean(),
  env: z.string(),
  flag: z.string().nullable(),
  scope: z.enum(['operator', 'repository']),
  description: z.string(),
});
export type ApiSetting = z.infer<typeof ApiSetting>;

export const ApiFirstRunStep = z.strictObject({
  key: z.enum(['account', 'repository', 'webhook', 'model']),
  title: z.string(),
  done: z.boolean(),
  /** What was observed; null while nothing was. */
  observed: z.string().nullable(),
  next: z.string(),
  command: z.string().nullable(),
});
export type ApiFirstRunStep = z.infer<typeof ApiFirstRunStep>;
export const ApiFirstRun = z.strictObject({ steps: z.array(ApiFirstRunStep) });
export type ApiFirstRun = z.infer<typeof ApiFirstRun>;
