/** Holds one request against its operation: query, path values, content type, body. */
import type { Call } from '../http/call.ts';
import { checkSchema } from './check-schema.ts';
import type { OperationRule, ParameterRule } from './operation-rule.ts';
import type { Problem } from './problem.ts';

/** What a vendor is known to take beside its description. */
export interface Leniency {
  readonly alwaysAllowed: readonly string[];
  readonly listsAsText?: boolean;
}

export function checkCall(rule: OperationRule, call: Call, params: Readonly<Record<string, string>>, leniency: Leniency): readonly Problem[] {
  return [...checkPath(rule, params), ...checkQuery(rule, call.query, leniency.alwaysAllowed), ...checkBody(rule, call, leniency.listsAsText === true)];
}

function checkValue(rule: ParameterRule, value: unknown, operation: OperationRule): readonly Problem[] {
  return checkSchema(rule.schema, value, { resolve: operation.resolve, textual: true, textLists: true }, rule.name);
}

function checkPath(rule: OperationRule, params: Readonly<Record<string, string>>): readonly Problem[] {
  return rule.path.flatMap(parameter => {
    const value = params[parameter.name];
    return value === undefined ? [] : checkValue(parameter, value, rule).map(one => ({ ...one, kind: 'bad-path' as const }));
  });
}

function checkQuery(rule: OperationRule, query: URLSearchParams, alwaysAllowed: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  for (const name of new Set(query.keys())) {
    const parameter = rule.query.find(one => one.name === name || `${one.name}[]` === name);
    if (parameter !== undefined) {
      const values = query.getAll(name);
      const wanted = parameter.schema['type'] === 'array' ? listValue(values, parameter, name.endsWith('[]')) : values[0];
      problems.push(...checkValue(parameter, wanted, rule).map(one => ({ ...one, kind: 'bad-query' as const })));
    } else if (!alwaysAllowed.includes(name)) problems.push({ kind: 'unknown-query', place: name, detail: 'is no parameter of this operation' });
  }
  for (const parameter of rule.query)
    if (parameter.required && !query.has(parameter.name) && !query.has(`${parameter.name}[]`))
      problems.push({ kind: 'missing-query', place: parameter.name, detail: 'is required' });
  return problems;
}

/** `multi` repeats the name; csv (and OpenAPI 3 without explode) joins with commas. */
function listValue(values: readonly string[], parameter: ParameterRule, bracketed: boolean): readonly string[] {
  if (bracketed || parameter.schema['collectionFormat'] === 'multi' || parameter.schema['x-explode'] === true) return values;
  return values.flatMap(value => value.split(','));
}

function checkBody(rule: OperationRule, call: Call, textLists: boolean): readonly Problem[] {
  const kind = (call.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (call.raw.length === 0) return rule.body?.required === true ? [{ kind: 'missing-body', place: '', detail: 'is required' }] : [];
  if (rule.body === null) return [{ kind: 'unknown-field', place: '', detail: 'this operation takes no body' }];
  if (rule.body.types.length > 0 && !rule.body.types.includes(kind) && !rule.body.types.includes('*/*'))
    return [{ kind: 'content-type', place: kind, detail: `is none of ${rule.body.types.join(', ')}` }];
  if (call.body === undefined) return [];
  return checkSchema(rule.body.schema, call.body, { resolve: rule.resolve, textual: kind.includes('form'), textLists });
}
