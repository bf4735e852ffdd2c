/** The demanded form of the answer, in the field that the route's facts name; refused where they name none. */
import type { CapabilityFacts } from '@weir/tool-plan';
import { RequestProblem } from './gateway-failure.ts';
import { type JsonObject, present } from './json.ts';
import type { AnswerFormat } from './model-request.ts';

/** @throws RequestProblem `unsupported_schema`: prose where JSON was demanded would be taken for the answer. */
export function writeFormat(format: AnswerFormat | undefined, facts: Pick<CapabilityFacts, 'json_schema'>): JsonObject | undefined {
  if (format === undefined) return undefined;
  if (facts.json_schema === 'none') throw new RequestProblem('unsupported_schema', 'The request demands JSON, and the route declares no way to demand it.');
  if (format.kind === 'json_object') return jsonObject(facts);
  const { name, schema, strict, description } = format;
  switch (facts.json_schema) {
    case 'response_format':
      return { type: 'json_schema', json_schema: present({ name, description, schema, strict }) };
    case 'text_format':
      return present({ type: 'json_schema', name, description, schema, strict });
    case 'output_config':
      return { type: 'json_schema', schema };
  }
}

/** Messages can demand a schema only, and a schema for any object would promise what it cannot hold. */
function jsonObject(facts: Pick<CapabilityFacts, 'json_schema'>): JsonObject {
  if (facts.json_schema === 'output_config') throw new RequestProblem('unsupported_schema', 'The route can demand JSON by a schema only.');
  return { type: 'json_object' };
}
