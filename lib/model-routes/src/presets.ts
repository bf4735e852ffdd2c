/**
 * What is known of the vendors, as data: endpoint, protocol, how the key travels, capability facts and parameter dialect. A preset
 * is copied into a row when a provider is added, and the operator changes the row. Facts are conservative: what is not documented
 * is left out, so that the protocol's default holds. No preset has a price: prices are the operator's (REV-30).
 */
import type { CapabilityFacts, ModelProvider, ParameterProfile } from '@weir/contract';

export interface ModelPreset extends Omit<ModelProvider, 'name' | 'baseUrl'> {
  /** Null: the operator names it; `baseUrlHint` says how it looks. */
  readonly baseUrl: string | null;
  readonly baseUrlHint?: string;
}

const NAME = '^[a-zA-Z0-9_-]+$';

const profile = (outputTokens: ParameterProfile['outputTokens'], temperature: ParameterProfile['temperature'], ...efforts: string[]): ParameterProfile => ({
  outputTokens,
  temperature,
  reasoningEffort: efforts,
  extra: {},
});

/** A Chat Completions endpoint that is not the protocol's author. Sources: ai.google.dev/gemini-api/docs/openai, docs.ollama.com/api/openai-compatibility. */
const COMPATIBLE_CHAT: CapabilityFacts = {
  function: true,
  custom: false,
  namespace: false,
  tool_search: false,
  additional_tools: false,
  developer_role: false,
  second_system_message: false,
  image_in_tool_result: false,
  parallel_calls: true,
  stream_usage: true,
  json_schema: 'response_format',
  reasoning_field: null,
  sealed_reasoning: 'none',
  name_pattern: NAME,
  name_max: 64,
  hosted: {},
};

/** developers.openai.com/api/docs, and what Codex sends to it. */
const OPENAI_RESPONSES: CapabilityFacts = {
  function: true,
  custom: true,
  namespace: true,
  tool_search: true,
  additional_tools: true,
  developer_role: true,
  second_system_message: true,
  image_in_tool_result: true,
  parallel_calls: true,
  stream_usage: true,
  json_schema: 'text_format',
  reasoning_field: null,
  sealed_reasoning: 'route',
  name_pattern: NAME,
  name_max: 64,
  hosted: { web_search: true, file_search: true, code_interpreter: true, image_generation: true },
};

const OPENAI_CHAT: CapabilityFacts = { ...COMPATIBLE_CHAT, custom: true, developer_role: true, second_system_message: true };

const bearer = { scheme: 'bearer' } as const;
const key = (header: string) => ({ scheme: 'header', header }) as const;

export const MODEL_PRESETS = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    protocol: 'responses',
    auth: bearer,
    headers: {},
    facts: OPENAI_RESPONSES,
    profile: profile('max_output_tokens', 'refused', 'low', 'medium', 'high'),
    usageRule: 'openai',
  },
  'openai-chat': {
    baseUrl: 'https://api.openai.com/v1',
    protocol: 'chat',
    auth: bearer,
    headers: {},
    facts: OPENAI_CHAT,
    profile: profile('max_completion_tokens', 'refused', 'low', 'medium', 'high'),
    usageRule: 'openai',
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    protocol: 'messages',
    auth: key('x-api-key'),
    headers: { 'anthropic-version': '2023-06-01' },
    facts: {
      function: true,
      custom: false,
      namespace: false,
      tool_search: false,
      additional_tools: false,
      developer_role: false,
      second_system_message: false,
      image_in_tool_result: true,
      parallel_calls: true,
      stream_usage: true,
      json_schema: 'output_config',
      reasoning_field: 'thinking',
      sealed_reasoning: 'route',
      name_pattern: NAME,
      name_max: 64,
      hosted: { web_search: true },
    },
    profile: profile('max_tokens', 'allowed'),
    usageRule: 'anthropic',
  },
  // ai.google.dev/gemini-api/docs/openai: bearer, reasoning_effort, response_format with a schema. Each chunk of a stream holds running counts, and the
  // last ones hold (ogx-ai/ogx#5122).
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    protocol: 'chat',
    auth: bearer,
    headers: {},
    facts: COMPATIBLE_CHAT,
    profile: profile('max_tokens', 'allowed', 'low', 'medium', 'high'),
    usageRule: 'gemini',
  },
  // learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle: the v1 API, without api-version; the model is the deployment's name.
  azure: {
    baseUrl: null,
    baseUrlHint: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    protocol: 'responses',
    auth: key('api-key'),
    headers: {},
    facts: { ...OPENAI_RESPONSES, namespace: false, tool_search: false, additional_tools: false, hosted: {} },
    profile: profile('max_output_tokens', 'refused', 'low', 'medium', 'high'),
    usageRule: 'openai',
  },
  'azure-chat': {
    baseUrl: null,
    baseUrlHint: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    protocol: 'chat',
    auth: key('api-key'),
    headers: {},
    facts: OPENAI_CHAT,
    profile: profile('max_completion_tokens', 'refused', 'low', 'medium', 'high'),
    usageRule: 'openai',
  },
  // docs.ollama.com/api/openai-compatibility lists the fields: max_tokens, temperature, reasoning_effort, stream_options.include_usage and
  // response_format, but not parallel_tool_calls, and none that takes earlier reasoning.
  ollama: {
    baseUrl: 'http://127.0.0.1:11434/v1',
    protocol: 'chat',
    auth: { scheme: 'none' },
    headers: {},
    facts: { ...COMPATIBLE_CHAT, parallel_calls: false },
    profile: profile('max_tokens', 'allowed', 'low', 'medium', 'high'),
    usageRule: 'openai',
  },
  // docs.vllm.ai/en/v0.10.0 to v0.26.0, features/reasoning_outputs: answers hold their reasoning in `reasoning_content`, from v0.11 on in
  // `reasoning`. Which of them a server takes back depends on its version and on the model's template, and the preset serves other servers
  // too, so no earlier reasoning goes along. Whoever knows the server states `reasoning_field`.
  vllm: {
    baseUrl: 'http://127.0.0.1:8000/v1',
    protocol: 'chat',
    auth: bearer,
    headers: {},
    facts: COMPATIBLE_CHAT,
    profile: profile('max_tokens', 'allowed'),
    usageRule: 'openai',
  },
  // api-docs.deepseek.com/guides/thinking_mode: an assistant message with calls has to bring its `reasoning_content` back, else 400; efforts low,
  // high, max, and medium counts as high; temperature is taken and ignored. /guides/json_mode: a JSON object without a schema.
  deepseek: {
    baseUrl: 'https://api.deepseek.com',
    protocol: 'chat',
    auth: bearer,
    headers: {},
    facts: { ...COMPATIBLE_CHAT, json_schema: 'none', reasoning_field: 'reasoning_content' },
    profile: profile('max_tokens', 'allowed', 'low', 'medium', 'high'),
    usageRule: 'openai',
  },
  // openrouter.ai/docs/use-cases/usage-accounting: usage comes with every answer. /use-cases/reasoning-tokens: reasoning stands in `reasoning` of a
  // message, and goes back there; efforts as OpenAI's.
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    protocol: 'chat',
    auth: bearer,
    headers: {},
    facts: { ...COMPATIBLE_CHAT, reasoning_field: 'reasoning' },
    profile: profile('max_tokens', 'allowed', 'low', 'medium', 'high'),
    usageRule: 'openai',
  },
} as const satisfies Readonly<Record<string, ModelPreset>>;

export type ModelPresetName = keyof typeof MODEL_PRESETS;
