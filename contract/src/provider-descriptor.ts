/**
 * A provider's descriptor (page 30): the one file that is written by hand for a provider. Unknown keys are errors.
 */
import { z } from 'zod';
import { VERBS } from './capabilities.ts';
import { INTEGRATION_EVENTS } from './integration-events.ts';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const commit = z.string().regex(/^[0-9a-f]{40}$/, 'a commit has 40 hex digits; branch names move');

/** Where the published description comes from. Every source is pinned by the digest beside it. */
export const SpecSource = z.union([
  z.strictObject({ repo: z.string().min(1), commit, path: z.string().min(1) }),
  z.strictObject({ package: z.string().min(1), version: z.string().min(1), path: z.string().min(1) }),
  z.strictObject({ instance_url: z.url(), retrieved_at: z.iso.date() }),
  z.strictObject({ file: z.string().min(1) }),
]);
export type SpecSource = z.infer<typeof SpecSource>;

const spec = z.strictObject({
  format: z.enum(['openapi-3.0', 'openapi-3.1', 'swagger-2.0']),
  source: SpecSource,
  api_version: z.string().min(1),
  digest,
  license: z.string().min(1),
  /** May the pruned description be committed? Only where the licence allows it. */
  commit_pruned: z.boolean().default(false),
  /** Text put in place of Go-template placeholders, by the text between the braces. */
  template_values: z.record(z.string(), z.string()).optional(),
  /** A description that we wrote for operations that the vendor's lacks; its operations are added. */
  supplement: z.string().optional(),
  overlay: z.string().optional(),
});

const auth = z
  .strictObject({
    /** `none`: calls carry no credential, as public registries take them. */
    scheme: z.enum(['bearer', 'token_prefix', 'basic', 'app', 'oauth_bearer', 'header', 'none']),
    /** Header name for `header`, prefix word for `token_prefix`. */
    header: z.string().optional(),
    prefix: z.string().optional(),
    /** Environment variables that may hold the token, in order; none for the scheme `none`. */
    env: z.array(z.string().regex(/^[A-Z][A-Z0-9_]*$/)).default([]),
    /** User name of `basic` where the token is the password; the token may also be `user:password`. */
    user: z.string().optional(),
    /** What a token has to be allowed, for advice to people: the forge decides. One scope of `any_of` is enough; the first is the one to ask for. */
    scopes: z.array(z.strictObject({ any_of: z.array(z.string().min(1)).min(1), for: z.string().min(1) })).default([]),
    /** A vendor's CLI that yields a token (`gh auth token`); it never carries a call. */
    fallback: z.enum(['gh', 'glab']).optional(),
    headers: z.record(z.string(), z.string()).default({}),
  })
  .refine(({ scheme, env }) => (scheme === 'none') === (env.length === 0), 'env names at least one variable, and none for the scheme none');

const ratelimit = z.strictObject({
  remaining_header: z.string().optional(),
  reset_header: z.string().optional(),
  limit_header: z.string().optional(),
  /** `epoch`: seconds since 1970; `delta`: seconds from now. */
  reset_unit: z.enum(['epoch', 'delta']).default('epoch'),
  /** In any 60 seconds; a call that changes something costs `write_cost`. */
  points_per_minute: z.number().int().positive().optional(),
  /** In any 60 minutes, at the same costs. They may be spent at once. */
  points_per_hour: z.number().int().positive().optional(),
  write_cost: z.number().int().positive().default(1),
  max_concurrent: z.number().int().positive().default(8),
  content_creating_per_minute: z.number().int().positive().optional(),
  notification_interval_ms: z.number().int().nonnegative().default(0),
});

/** An answer that says so: its status, with a code or with words of its message where the status also means something else. */
const answerMark = z.strictObject({
  status: z.number().int().min(400).max(599),
  code: z.string().toLowerCase().min(1).optional(),
  says: z.string().min(1).optional(),
});

const pagination = z.strictObject({
  style: z.enum(['link', 'page', 'cursor', 'since', 'offset', 'start', 'next-url']),
  page_parameter: z.string().optional(),
  per_page_parameter: z.string().optional(),
  per_page_max: z.number().int().positive(),
  /** Operation and path of its answer where the server's own maximum stands. */
  per_page_max_from: z.strictObject({ op: z.string(), path: z.string() }).optional(),
  /** Member of an answer that holds the list, by operation id or `*`; absent where the answer is the list. */
  items: z.record(z.string(), z.string()).default({}),
  max_pages: z.number().int().positive().default(100),
  max_items: z.number().int().positive().default(10_000),
});

/** A JMESPath expression (docs/adr/0004-mapping-language.md). Its root has the members that the key names. */
const expression = z.string().min(1).max(8_192);

/** Failures that a call may end with and still go on; each leaves its name in `outcomes`. */
export const TOLERABLE = ['NotFound', 'Conflict', 'Unprocessable', 'Forbidden'] as const;

/**
 * One call. Expressions see `args` (the verb's), `steps` (answers of earlier steps by name), `outcomes` (`done`, `skipped` or the
 * tolerated failure, by name), `headers` of the last answer, `subscribe` of the webhooks and, with `each`, `item` and `index`.
 */
const call = {
  /** Operation id, or method and path template (`GET /user`) where the vendor's ids are missing, unstable or over 64 characters. */
  op: z.string().min(1).optional(),
  /** Name of a persisted GraphQL document instead of an operation. */
  document: z.string().min(1).optional(),
  /** Parameter, body field or GraphQL variable -> expression. Null leaves it out, unless `send_null` names it. */
  args: z.record(z.string(), expression).default({}),
  send_null: z.array(z.string()).default([]),
  /** The whole body, where it is not an object of named fields. */
  body: expression.optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** `text`: the answer is not parsed, whatever its content type. */
  expect: z.enum(['json', 'text']).default('json'),
  all_pages: z.boolean().default(false),
  /** The call is left out where this is false. */
  when: expression.optional(),
  /** A list: the call is made for each entry, one after another; the step's answer is a list of {item, index, answer, failure}. */
  each: expression.optional(),
  allow: z.array(z.enum(TOLERABLE)).default([]),
};

const Step = z.strictObject({ name: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), ...call });
export type CapabilityStep = z.infer<typeof Step>;

const exactlyOne = (binding: { op?: string | undefined; document?: string | undefined; steps?: readonly unknown[] | undefined }): boolean =>
  [binding.op, binding.document, binding.steps].filter(part => part !== undefined).length === 1;

/**
 * How one verb is carried out: one call (`op` or `document`), or `steps` in order. Fallback chains (PRV-16) are steps: allow
 * NotFound in the first, and give the second `when: outcomes.<first> == 'NotFound'`.
 */
export const CapabilityBinding = z
  .strictObject({
    ...call,
    steps: z.array(Step).min(1).max(8).optional(),
    /**
     * To the canonical result. Sees `args`, `answer`, `headers` and `status` of the last call that was made, `steps`, `outcomes`.
     * Lists of all pages arrive joined.
     */
    result: expression,
    /** A pure function that the result passes, where data can't say it: `adapters/forge/src/quirks/<name>.ts`. */
    quirk: z
      .string()
      .regex(/^[a-z][a-z0-9-]*$/)
      .optional(),
    /** What callers have to know, for `explain`: a limit, a cost, what the forge does differently. */
    note: z.string().optional(),
  })
  .refine(exactlyOne, 'a binding has one of op, document, steps')
  .refine(binding => (binding.steps ?? []).every(step => (step.op === undefined) !== (step.document === undefined)), 'a step has one of op, document');
export type CapabilityBinding = z.infer<typeof CapabilityBinding>;

/** Rules of one event name, tried in order; the first whose `when` holds decides. No rule: the delivery is ignored. Expressions see `payload`, `headers`. */
const webhook = z.strictObject({
  /** Integration event that it becomes; null where it is received and ignored. */
  event: z.enum(INTEGRATION_EVENTS as [string, ...string[]]).nullable(),
  when: expression.optional(),
  /** Members of the integration event, without `type`. */
  map: expression.optional(),
  /** Why it is ignored. */
  note: z.string().optional(),
});

const graphqlDocument = z.strictObject({
  file: z.string().regex(/^graphql\/[a-z-]+\.graphql$/),
  /** Path of a connection in `data`, and the variable that takes its end cursor. */
  pages: z.strictObject({ connection: z.string(), cursor: z.string() }).optional(),
});

const descriptorShape = {
  version: z.literal(1),
  name: z.string().regex(/^[a-z][a-z0-9-]{1,31}$/),
  kind: z.enum(['forge', 'registry', 'infra']),
  extends: z.string().optional(),
  spec,
  product: z.string().optional(),
  base_url: z.url().optional(),
  /** The vendor's own service as people see it; its API is at the origin of `base_url`. Absent where there are only instances. */
  site: z.url().optional(),
  base_url_from: z.literal('instance').optional(),
  auth,
  ratelimit: ratelimit.prefault({}),
  /** `too_large`: what was asked for is larger than the provider gives in one answer. It is asked for in parts, and never again as it was. */
  failures: z.strictObject({ too_large: z.array(answerMark).default([]) }).prefault({}),
  pagination,
  timeouts: z.strictObject({ request_ms: z.number().int().positive().default(15_000), walk_ms: z.number().int().positive().default(120_000) }).prefault({}),
  operations: z
    .strictObject({
      include_categories: z.array(z.string()).optional(),
      include: z.array(z.string()).optional(),
      exclude: z.array(z.string()).default([]),
      /** Path parameters, by name, whose value may hold slashes: kept as separators, or encoded as %2F. The description may say so itself. */
      slash: z.strictObject({ keep: z.array(z.string()).default([]), encode: z.array(z.string()).default([]) }).prefault({}),
      /** `path` where the vendor's ids are missing or move from version to version: ids are made from method and path. */
      key_by: z.enum(['id', 'path']).default('id'),
    })
    .prefault({}),
  /** Arguments that every bound operation with a parameter of this name gets, unless the binding says otherwise. Sees `args`. */
  common_args: z.record(z.string(), expression).default({}),
  /** Named expressions that others use as `as('name', value)`. Each may use those above it. */
  shapes: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), expression).default({}),
  capabilities: z.partialRecord(z.enum(VERBS), CapabilityBinding),
  unsupported: z.partialRecord(z.enum(VERBS), z.string().min(1)).default({}),
  graphql: z
    .strictObject({ endpoint: z.string(), sdl: z.strictObject({ source: SpecSource, digest }), documents: z.record(z.string(), graphqlDocument) })
    .optional(),
  policy: z
    .strictObject({
      mutations: z.literal('allow_list').default('allow_list'),
      allowed_mutations: z.array(z.string()).default([]),
      receipts: z.enum(['required', 'off']).default('required'),
      untrusted_content: z.enum(['fence', 'lockdown', 'off']).default('fence'),
      read_only: z.boolean().default(false),
      budget: z
        .strictObject({ calls_per_run: z.number().int().positive().default(1_000), cooldown_s: z.number().int().nonnegative().default(60) })
        .prefault({}),
    })
    .prefault({}),
  webhooks: z
    .strictObject({
      /** `hmac-sha256` is hex over the raw bytes after `prefix`; `token` is compared as it is. */
      signature: z.strictObject({ scheme: z.enum(['hmac-sha256', 'token']), header: z.string(), prefix: z.string().default('') }),
      event_header: z.string(),
      /** Names to subscribe to with `webhook.upsert`; equal to the keys of `events` unless the vendor's API names them otherwise. */
      subscribe: z.array(z.string()).default([]),
      /** Headers that may hold the id of a delivery, the best one first. */
      delivery_headers: z.array(z.string()).default([]),
      /** False where the delivery of a reply reads as a comment on the change: which thread it stands in is then read from `thread.list`. */
      name_threads: z.boolean().default(true),
      events: z.record(z.string(), z.array(webhook)),
    })
    .optional(),
  /** Comment facts of the renderer (page 80, 3.2). */
  dialect: z
    .strictObject({
      /** `<details>` is shown as a fold. */
      fold: z.boolean(),
      /** An HTML comment stays in the text and is not shown. */
      hidden_marker: z.boolean(),
      /** Fence of a committable suggestion: `suggestion`, `suggestion:-0+0`, or none. */
      suggestion: z.enum(['block', 'offset-block', 'none']),
      max_body: z.number().int().positive(),
      task_list: z.boolean(),
      /** A comment may stand on several lines. */
      multi_line: z.boolean(),
      /** Sign before a change's number in text. */
      change_sign: z.enum(['#', '!']),
    })
    .optional(),
  change_word: z.enum(['pr', 'mr']).default('pr'),
  docs: z.strictObject({ distill: z.enum(['bound', 'none']).default('none'), external_docs: z.url().optional() }).prefault({}),
};

export const ProviderDescriptor = z.strictObject(descriptorShape);
export type ProviderDescriptor = z.infer<typeof ProviderDescriptor>;
