/**
 * Model providers, models, prices and parameter profiles as the operator keeps them (page 40, REV-30). Unknown keys are
 * errors. Capability facts are JSON here; `@weir/tool-plan` reads them.
 */
import { z } from 'zod';
import { MAX_RATE, type PartType } from './model-charge.ts';

export const UPSTREAM_PROTOCOLS = ['responses', 'chat', 'messages'] as const;
export type UpstreamProtocol = (typeof UPSTREAM_PROTOCOLS)[number];

/** Keys of capability facts (MOD-18a). A missing one takes the protocol's conservative default. */
export const FACT_KEYS = [
  'function',
  'custom',
  'namespace',
  'tool_search',
  'additional_tools',
  'developer_role',
  'second_system_message',
  'image_in_tool_result',
  'parallel_calls',
  'stream_usage',
  'json_schema',
  'reasoning_field',
  'sealed_reasoning',
  'name_pattern',
  'name_max',
  'hosted',
] as const;
export type FactKey = (typeof FACT_KEYS)[number];

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type CapabilityFacts = { readonly [key in FactKey]?: Json };

/** Names are part of addresses (`/v1/at/{model-provider}/…`). */
export const MODEL_PROVIDER_NAME: RegExp = /^[a-z][a-z0-9-]{0,31}$/;
/** Printable ASCII without space: ids of vendors hold slashes, colons and dots. */
export const MODEL_NAME: RegExp = /^[!-~]{1,200}$/;

const json: z.ZodType<Json> = z.json();
const facts: z.ZodType<CapabilityFacts> = z.record(z.string().max(64), json) as z.ZodType<CapabilityFacts>;

/** How the credential travels. `none`: the endpoint takes no key. */
export type AuthScheme = { readonly scheme: 'bearer' } | { readonly scheme: 'header'; readonly header: string } | { readonly scheme: 'none' };
const auth: z.ZodType<AuthScheme> = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('bearer') }),
  z.strictObject({ scheme: z.literal('header'), header: z.string().regex(/^[a-z0-9-]{1,64}$/) }),
  z.strictObject({ scheme: z.literal('none') }),
]);

/** The parameter dialect of a model (REV-30): declared, never guessed from a name. */
export interface ParameterProfile {
  /** Request field that bounds the answer. */
  readonly outputTokens: 'max_tokens' | 'max_completion_tokens' | 'max_output_tokens';
  /** `refused`: the field is left out. */
  readonly temperature: 'allowed' | 'refused';
  /** Values of the reasoning effort that the model takes; empty: the field is left out. */
  readonly reasoningEffort: readonly string[];
  /** Added to every request body as they are; they never replace a field that the client or the gateway sets. */
  readonly extra: { readonly [field: string]: Json };
}
const profileShape = {
  outputTokens: z.enum(['max_tokens', 'max_completion_tokens', 'max_output_tokens']),
  temperature: z.enum(['allowed', 'refused']),
  reasoningEffort: z.array(z.string().min(1).max(32)).max(16),
  extra: z.record(z.string().min(1).max(64), json),
};
const profilePart = z.strictObject(profileShape).partial();

/** How a vendor counts; the rows stand in `@weir/model-pricing`. */
export const USAGE_RULES = ['openai', 'anthropic', 'gemini'] as const;
export type UsageRuleName = (typeof USAGE_RULES)[number];

const rate = z.number().int().min(0).max(MAX_RATE);
const paidRate = rate.min(1, 'a metered model has rates above zero for input and output; a model that costs nothing is `unmetered`');

/**
 * Millicents per million tokens. Input and output are above zero; a zero of another type is the operator's word. Without a
 * rate for reasoning that of output holds, since vendors bill reasoning as output; a cache type without a rate stays unpriced.
 */
export type Rates = { readonly input: number; readonly output: number } & { readonly [type in Exclude<PartType, 'input' | 'output'>]?: number | undefined };

export type ModelPrice =
  | { readonly mode: 'metered'; readonly rates: Rates; readonly source?: string | undefined; readonly since?: string | undefined }
  /** The operator says that calls cost nothing. */
  | { readonly mode: 'unmetered' };
export const ModelPrice: z.ZodType<ModelPrice> = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('metered'),
    rates: z.strictObject({
      input: paidRate,
      output: paidRate,
      cached_input: rate.optional(),
      cache_write: rate.optional(),
      reasoning: rate.optional(),
    }),
    /** Where the price was read, and the day. */
    source: z.string().max(500).optional(),
    since: z.iso.date().optional(),
  }),
  z.strictObject({ mode: z.literal('unmetered') }),
]);

/** An endpoint with a pool of credentials. It speaks one protocol; a vendor that speaks two is two rows. */
export interface ModelProvider {
  readonly name: string;
  /** Up to the part that all its addresses share, usually `/v1`; no query, no user, no slash at the end. */
  readonly baseUrl: string;
  readonly protocol: UpstreamProtocol;
  readonly auth: AuthScheme;
  /** Sent with every call, lower-case names; never a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: CapabilityFacts;
  readonly profile: ParameterProfile;
  readonly usageRule: UsageRuleName;
}

const baseUrl = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*[^\s?#/])?$/, 'an http or https address without user, query or fragment and without a slash at the end');

/** Headers that the gateway makes itself, or that would be a credential in clear text. */
const OWN_HEADERS = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|host|connection|content-length|content-type|transfer-encoding)$/;
const headers = z.record(
  z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .refine(header => !OWN_HEADERS.test(header), 'credentials belong into the pool, and the gateway sets the others itself'),
  z
    .string()
    .max(1_000)
    .regex(/^[ -~]*$/),
);

export const ModelProvider: z.ZodType<ModelProvider> = z.strictObject({
  name: z.string().regex(MODEL_PROVIDER_NAME),
  baseUrl,
  protocol: z.enum(UPSTREAM_PROTOCOLS),
  auth,
  headers,
  facts,
  profile: z.strictObject(profileShape),
  usageRule: z.enum(USAGE_RULES),
});

/** A model at a provider. What it leaves out is the provider's. */
export interface Model {
  readonly modelProvider: string;
  /** What callers ask for. Unique at its provider. */
  readonly name: string;
  /** The exact id (or deployment) that the provider is asked for. */
  readonly upstreamModel: string;
  readonly facts?: CapabilityFacts | undefined;
  readonly profile?: Partial<ParameterProfile> | undefined;
  /** Null: not stated, so the model cannot be used (REV-30). */
  readonly price: ModelPrice | null;
}
export const Model: z.ZodType<Model> = z.strictObject({
  modelProvider: z.string().regex(MODEL_PROVIDER_NAME),
  name: z.string().regex(MODEL_NAME),
  upstreamModel: z.string().regex(MODEL_NAME),
  facts: facts.optional(),
  profile: profilePart.optional() as z.ZodType<Partial<ParameterProfile> | undefined>,
  price: ModelPrice.nullable(),
});

/** All rows at one moment: what a route is resolved from. */
export interface ModelRows {
  readonly providers: readonly ModelProvider[];
  readonly models: readonly Model[];
}

/** Who uses a model: `default review model`, `agent profile p1`. One holder uses one model; a used model keeps its name. */
export interface ModelUse {
  readonly holder: string;
  readonly modelProvider: string;
  readonly model: string;
}
