/**
 * A provider's descriptor (page 30): the one file that is written by hand for a provider. Unknown keys are errors.
 */
import { z } from 'zod';
import { VERBS } from './capabilities.ts';

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

const auth = z.strictObject({
  scheme: z.enum(['bearer', 'token_prefix', 'basic', 'app', 'oauth_bearer', 'header']),
  /** Header name for `header`, prefix word for `token_prefix`. */
  header: z.string().optional(),
  prefix: z.string().optional(),
  /** Environment variables that may hold the token, in order. */
  env: z.array(z.string().regex(/^[A-Z][A-Z0-9_]*$/)).min(1),
  /** A vendor's CLI that yields a token (`gh auth token`); it never carries a call. */
  fallback: z.enum(['gh', 'glab']).optional(),
  headers: z.record(z.string(), z.string()).default({}),
});

const ratelimit = z.strictObject({
  remaining_header: z.string().optional(),
  reset_header: z.string().optional(),
  /** `seconds`: an epoch time; `delta`: seconds from now. */
  reset_unit: z.enum(['epoch', 'delta']).default('epoch'),
  points_per_minute: z.number().int().positive().optional(),
  write_cost: z.number().int().positive().default(1),
  max_concurrent: z.number().int().positive().default(8),
  content_creating_per_minute: z.number().int().positive().optional(),
  notification_interval_ms: z.number().int().nonnegative().default(0),
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

const expression = z.string().min(1);

/** How one verb is carried out. `args` maps the operation's parameters to expressions over the verb's arguments. */
export const CapabilityBinding = z.strictObject({
  op: z.string().optional(),
  document: z.string().optional(),
  args: z.record(z.string(), expression).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  /** Status on which the fallback runs, and the binding that runs then. */
  on: z.enum(['NotFound', 'Conflict', 'Unprocessable']).optional(),
  fallback: z.string().optional(),
  lookup: z.string().optional(),
  filter: expression.optional(),
  /** From the vendor's answer to the canonical result. */
  result: expression.optional(),
  quirk: z.string().optional(),
  all_pages: z.boolean().default(false),
});
export type CapabilityBinding = z.infer<typeof CapabilityBinding>;

const webhook = z.strictObject({
  /** Integration event that it becomes; null where it is received and ignored. */
  event: z.string().nullable(),
  when: expression.optional(),
  map: expression.optional(),
});

const descriptorShape = {
  version: z.literal(1),
  name: z.string().regex(/^[a-z][a-z0-9-]{1,31}$/),
  kind: z.enum(['forge', 'registry', 'infra']),
  extends: z.string().optional(),
  spec,
  product: z.string().optional(),
  base_url: z.url().optional(),
  base_url_from: z.literal('instance').optional(),
  auth,
  ratelimit: ratelimit.prefault({}),
  pagination,
  timeouts: z.strictObject({ request_ms: z.number().int().positive().default(15_000), walk_ms: z.number().int().positive().default(120_000) }).prefault({}),
  operations: z
    .strictObject({ include_categories: z.array(z.string()).optional(), include: z.array(z.string()).optional(), exclude: z.array(z.string()).default([]) })
    .prefault({}),
  capabilities: z.partialRecord(z.enum(VERBS), CapabilityBinding),
  /** Named bindings that fallbacks and lookups use. */
  helpers: z.record(z.string(), CapabilityBinding).default({}),
  unsupported: z.partialRecord(z.enum(VERBS), z.string().min(1)).default({}),
  graphql: z
    .strictObject({ endpoint: z.string(), sdl: z.strictObject({ source: SpecSource, digest }), documents: z.record(z.string(), z.string()) })
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
      signature: z.strictObject({ scheme: z.enum(['hmac-sha256', 'token', 'none']), header: z.string(), prefix: z.string().default('') }),
      event_header: z.string(),
      delivery_header: z.string().optional(),
      events: z.record(z.string(), z.array(webhook)),
    })
    .optional(),
  /** Comment facts of the renderer (page 80, 3.2). */
  dialect: z
    .strictObject({
      fold: z.boolean(),
      hidden_marker: z.boolean(),
      suggestion: z.enum(['github', 'gitlab', 'none']),
      max_body: z.number().int().positive(),
      task_list: z.boolean(),
      multi_line: z.boolean(),
    })
    .optional(),
  change_word: z.enum(['pr', 'mr']).default('pr'),
  docs: z.strictObject({ distill: z.enum(['bound', 'none']).default('none'), external_docs: z.url().optional() }).prefault({}),
};

export const ProviderDescriptor = z.strictObject(descriptorShape);
export type ProviderDescriptor = z.infer<typeof ProviderDescriptor>;
