/**
 * Capability facts from JSON (MOD-18a): flat keys, checked strictly, completed with the defaults of the protocol.
 * An unknown key is an error that names the nearest known one, so that a misspelt fact never acts as its default.
 */
import { nearestName } from '@weir/operation-table';
import { type CapabilityFacts, DEFAULT_FACTS, type WireProtocol } from './capability-facts.ts';
import { namePatternProblem } from './name-pattern.ts';

export type FactsReading = { readonly facts: CapabilityFacts } | { readonly problem: string };

/** Longest name that a fact may allow, and the longest reasoning field. */
const MAX_NAME = 256;
const MAX_HOSTED_KINDS = 64;

type Check = (value: unknown) => string | undefined;
const isBoolean: Check = value => (typeof value === 'boolean' ? undefined : 'must be true or false');
const oneOf =
  (...words: readonly string[]): Check =>
  value =>
    typeof value === 'string' && words.includes(value) ? undefined : `must be one of ${words.join(', ')}`;

const CHECKS: Readonly<Record<keyof CapabilityFacts, Check>> = {
  function: isBoolean,
  custom: isBoolean,
  namespace: isBoolean,
  tool_search: isBoolean,
  additional_tools: isBoolean,
  developer_role: isBoolean,
  second_system_message: isBoolean,
  image_in_tool_result: isBoolean,
  parallel_calls: isBoolean,
  stream_usage: isBoolean,
  json_schema: oneOf('response_format', 'text_format', 'output_config', 'none'),
  reasoning_field: value => (value === null || isFieldName(value) ? undefined : 'must be null or the name of a field'),
  sealed_reasoning: oneOf('route', 'none'),
  name_pattern: value => (typeof value === 'string' ? namePatternProblem(value) : 'must be text'),
  name_max: value => (isCount(value) && value >= 16 && value <= MAX_NAME ? undefined : `must be a whole number from 16 to ${MAX_NAME}`),
  hosted: hostedProblem,
};

/** The one place of a schema in each protocol; a fact for another protocol would have no effect. */
const SCHEMA_PLACE: Readonly<Record<WireProtocol, string>> = { responses: 'text_format', chat: 'response_format', messages: 'output_config' };

/** @param json the parsed JSON; undefined gives the defaults. */
export function readFacts(json: unknown, protocol: WireProtocol): FactsReading {
  const defaults = DEFAULT_FACTS[protocol];
  if (json === undefined) return { facts: defaults };
  if (!isObject(json)) return { problem: 'Capability facts must be a JSON object with flat keys.' };
  for (const [key, value] of Object.entries(json)) {
    if (!isFactKey(key)) return { problem: `${JSON.stringify(key)} is no capability fact.${hint(key)}` };
    const problem = CHECKS[key](value);
    if (problem !== undefined) return { problem: `The capability fact "${key}" ${problem}.` };
  }
  const place = json['json_schema'] ?? defaults.json_schema;
  if (place !== 'none' && place !== SCHEMA_PLACE[protocol]) {
    return { problem: `The capability fact "json_schema" must be ${SCHEMA_PLACE[protocol]} or none for an upstream that speaks ${protocol}.` };
  }
  return { facts: { ...defaults, ...(json as Partial<CapabilityFacts>) } };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value);
const isFieldName = (value: unknown): boolean => typeof value === 'string' && /^[a-z_]{1,64}$/.test(value);
const isFactKey = (key: string): key is keyof CapabilityFacts => Object.hasOwn(CHECKS, key);

function hostedProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object of hosted kind to true or false';
  const kinds = Object.entries(value);
  if (kinds.length > MAX_HOSTED_KINDS) return `may name at most ${MAX_HOSTED_KINDS} kinds`;
  const wrong = kinds.find(([, supported]) => typeof supported !== 'boolean');
  return wrong === undefined ? undefined : `has a value that is not true or false for ${JSON.stringify(wrong[0].slice(0, MAX_NAME))}`;
}

function hint(key: string): string {
  const near = nearestName(key, Object.keys(CHECKS));
  return near === undefined ? ` Known are ${Object.keys(CHECKS).join(', ')}.` : ` Did you mean "${near}"?`;
}
