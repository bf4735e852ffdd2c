/** Reads OpenAPI 3 and Swagger 2 documents into operation rules, each in its own way and lazily by operation. */
import { isRecord } from '../http/fields.ts';
import type { OperationRule, ParameterRule, Schema } from './operation-rule.ts';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

export interface DescribedPath {
  readonly method: string;
  readonly template: string;
  /** Names of path values that may hold slashes. */
  readonly multiSegment: readonly string[];
  readonly rule: () => OperationRule;
}

export function readDescription(document: Schema, format: 'openapi' | 'swagger'): readonly DescribedPath[] {
  const resolve = (reference: string): Schema => {
    const found = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (isRecord(node) ? node[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), document);
    if (!isRecord(found)) throw new Error(`the description holds no ${reference}`);
    return found;
  };
  const follow = (node: Schema): Schema => (typeof node['$ref'] === 'string' ? follow(resolve(node['$ref'])) : node);
  const paths = document['paths'] as Readonly<Record<string, Schema>>;
  return Object.entries(paths).flatMap(([template, item]) =>
    METHODS.flatMap(method => {
      const operation = item[method];
      if (!isRecord(operation)) return [];
      const parameters = [...((item['parameters'] as Schema[] | undefined) ?? []), ...((operation['parameters'] as Schema[] | undefined) ?? [])].map(follow);
      const multiSegment = parameters.filter(one => one['x-multi-segment'] === true).map(one => String(one['name']));
      const described = { document, operation, parameters, resolve, follow };
      let rule: OperationRule | undefined;
      return [{ method: method.toUpperCase(), template, multiSegment, rule: () => (rule ??= buildRule(method.toUpperCase(), template, described, format)) }];
    }),
  );
}

/** What a rule is built from. */
export interface Described {
  readonly document: Schema;
  readonly operation: Schema;
  readonly parameters: readonly Schema[];
  readonly resolve: (reference: string) => Schema;
  readonly follow: (node: Schema) => Schema;
}

export function buildRule(method: string, template: string, described: Described, format: 'openapi' | 'swagger'): OperationRule {
  const of = (where: string): readonly ParameterRule[] => described.parameters.filter(one => one['in'] === where).map(parameterRule);
  return {
    id: String(described.operation['operationId'] ?? `${method} ${template}`),
    method,
    template,
    path: of('path'),
    query: of('query'),
    body: format === 'openapi' ? openapiBody(described) : swaggerBody(described, of('formData')),
    resolve: described.resolve,
  };
}

/** OpenAPI 3 keeps the type under `schema`, Swagger 2 on the parameter itself. */
function parameterRule(parameter: Schema): ParameterRule {
  const schema = isRecord(parameter['schema']) ? { ...parameter['schema'], 'x-explode': parameter['explode'] !== false } : parameter;
  return {
    name: String(parameter['name']),
    required: parameter['required'] === true,
    schema: typeof schema['$ref'] === 'string' ? schema : { ...schema, required: undefined },
  };
}

function openapiBody({ operation, follow }: Described): OperationRule['body'] {
  if (!isRecord(operation['requestBody'])) return null;
  const body = follow(operation['requestBody']);
  const content = isRecord(body['content']) ? body['content'] : {};
  const types = Object.keys(content);
  const first = content['application/json'] ?? content[types[0] ?? ''];
  return { required: body['required'] === true, types, schema: isRecord(first) && isRecord(first['schema']) ? first['schema'] : {} };
}

const FORM_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'];

function swaggerBody({ document, operation, parameters }: Described, form: readonly ParameterRule[]): OperationRule['body'] {
  const body = parameters.find(one => one['in'] === 'body');
  const consumes = (operation['consumes'] ?? document['consumes']) as readonly string[] | undefined;
  if (body !== undefined)
    return { required: body['required'] === true, types: [...(consumes ?? ['application/json'])], schema: isRecord(body['schema']) ? body['schema'] : {} };
  if (form.length === 0) return null;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(form.map(field => [field.name, field.schema])),
    required: form.filter(field => field.required).map(field => field.name),
  };
  return { required: form.some(field => field.required), types: FORM_TYPES, schema };
}
