/**
 * Holds a request that arrived against what its vendor publishes: path, query, headers, content type and body. Fields below the first
 * level are not looked at: an operation table knows none.
 */
import { isTree, type PublishedDescription, type PublishedOperation, type Tree } from './published-operations.fixture.ts';

export interface ArrivedRequest {
  readonly method: string;
  /** Path and query, as they came. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** One sentence for each thing that is wrong. */
export const checkPublished = (operations: readonly PublishedOperation[], request: ArrivedRequest): readonly string[] => {
  const [path = '', search = ''] = request.target.split(/\?(.*)/s);
  const found = operations.find(one => one.method === request.method && one.pattern.test(path));
  if (found === undefined) return [`${request.method} ${path} is in no description`];
  const values = (found.pattern.exec(path) ?? []).slice(1).map(value => (value === undefined ? '' : decodeURIComponent(value)));
  const problems = [
    ...pathProblems(found, values),
    ...queryProblems(found, new URLSearchParams(search)),
    ...headerProblems(found, request),
    ...bodyProblems(found, request),
  ];
  return problems.map(problem => `${found.label}: ${problem}`);
};

const inPlace = ({ parameters }: PublishedOperation, place: string): readonly Tree[] => parameters.filter(one => one['in'] === place);
const nameOf = (parameter: Tree): string => String(parameter['name']);

/** Swagger has the facts on the parameter itself. */
const schemaOf = ({ description: { swagger, follow } }: PublishedOperation, parameter: Tree): Tree => {
  if (swagger) return parameter;
  const [media] = isTree(parameter['content']) ? Object.values(parameter['content']) : [];
  return follow(isTree(media) ? media['schema'] : parameter['schema']);
};

function pathProblems(found: PublishedOperation, values: readonly string[]): string[] {
  return inPlace(found, 'path').flatMap(parameter => {
    const at = found.names.indexOf(nameOf(parameter));
    const value = values[at] ?? '';
    return at === -1 || value === '' ? [] : valueProblems(found, nameOf(parameter), schemaOf(found, parameter), value);
  });
}

function queryProblems(found: PublishedOperation, query: URLSearchParams): string[] {
  const declared = inPlace(found, 'query');
  const names = new Set(declared.map(nameOf));
  const unknown = [...new Set(query.keys())].filter(name => !names.has(name)).map(name => `${name} is no parameter of the query`);
  const wrong = declared.flatMap(parameter => {
    const name = nameOf(parameter);
    const given = query.getAll(name);
    // GitLab's generator lists the splats of a path as query parameters.
    if (given.length === 0) return parameter['required'] === true && !found.names.includes(name) ? [`${name} is missing in the query`] : [];
    return listedValues(found, parameter, given).flatMap(value => valueProblems(found, name, entrySchema(found, parameter), value));
  });
  return [...unknown, ...wrong];
}

/** The entries of a list as its style writes them. */
function listedValues(found: PublishedOperation, parameter: Tree, given: readonly string[]): readonly unknown[] {
  const schema = schemaOf(found, parameter);
  if (isTree(parameter['content'])) return given.map(text => JSON.parse(text) as unknown);
  if (schema['type'] !== 'array') return given;
  const repeated = found.description.swagger ? parameter['collectionFormat'] === 'multi' : parameter['explode'] !== false;
  return repeated ? given : given.flatMap(text => text.split(','));
}

const entrySchema = (found: PublishedOperation, parameter: Tree): Tree => {
  const schema = schemaOf(found, parameter);
  return schema['type'] === 'array' ? found.description.follow(schema['items']) : schema;
};

const TYPES: Readonly<Record<string, (value: unknown, textual: boolean) => boolean>> = {
  string: value => typeof value === 'string',
  integer: (value, textual) => Number.isInteger(value) || (textual && /^-?\d+$/.test(String(value))),
  number: (value, textual) => typeof value === 'number' || (textual && Number.isFinite(Number(value))),
  boolean: (value, textual) => typeof value === 'boolean' || (textual && /^(?:true|false)$/.test(String(value))),
  array: (value, textual) => Array.isArray(value) || textual,
  object: (value, textual) => isTree(value) || textual,
  file: () => true,
};

/** Kinds and words of a value; of several alternatives one has to fit. */
function valueProblems(found: PublishedOperation, name: string, written: unknown, value: unknown, textual = true): string[] {
  const { follow } = found.description;
  const schema = follow(written);
  const parts = [schema['allOf']].flat().filter(isTree);
  const choices = [schema['oneOf'], schema['anyOf']].flat().filter(isTree);
  if (choices.length > 0 && !choices.some(choice => valueProblems(found, name, choice, value, textual).length === 0)) return [`${name} fits no alternative`];
  const types = [schema['type']].flat().filter(type => typeof type === 'string');
  if (types.length > 0 && !types.some(type => TYPES[type]?.(value, textual) ?? true)) return [`${name} is no ${types.join(' or ')}`];
  const words = schema['enum'];
  if (Array.isArray(words) && !Array.isArray(value) && !words.some(word => String(word) === String(value))) return [`${name} is none of its words`];
  return parts.flatMap(part => valueProblems(found, name, part, value, textual));
}

function headerProblems(found: PublishedOperation, { headers }: ArrivedRequest): string[] {
  const missing = inPlace(found, 'header').filter(one => one['required'] === true && headers[nameOf(one).toLowerCase()] === undefined);
  const accept = headers['accept'] ?? '';
  const offered = producedBy(found);
  const taken = [...offered, ...found.description.also].some(type => type.startsWith(accept) || type === '*/*');
  const wrong = taken || offered.length === 0 || accept === '*/*' ? [] : [`it is never answered as ${accept}`];
  return [...missing.map(one => `the header ${nameOf(one)} is missing`), ...wrong];
}

/** Content types of the successful answers. */
function producedBy({ operation, description: { swagger, root, follow } }: PublishedOperation): readonly string[] {
  if (swagger) return ((operation['produces'] ?? root['produces'] ?? []) as readonly string[]).map(type => type.toLowerCase());
  const successes = Object.entries((operation['responses'] ?? {}) as Tree).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([, answer]) => Object.keys((follow(answer)['content'] ?? {}) as Tree));
}

interface DescribedBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, unknown>;
}

function bodyProblems(found: PublishedOperation, { headers, body }: ArrivedRequest): string[] {
  const described = found.description.swagger ? swaggerBody(found) : openApiBody(found);
  const type = essenceOf(headers);
  if (body.length === 0) return described?.required === true && type === '' ? ['the body is missing'] : [];
  if (described === undefined) return ['it takes no body'];
  const { content } = described;
  if (!content.has(type) && !content.has('*/*')) return [`${type} is none of ${[...content.keys()].join(', ')}`];
  const schema = content.get(type) ?? content.get('*/*') ?? {};
  const value = valueOf(type, headers, body);
  return isTree(value) ? fieldProblems(found, schema, value, FORMS.includes(type)) : valueProblems(found, 'the body', schema, value, true);
}

const essenceOf = (headers: ArrivedRequest['headers']): string => headers['content-type']?.replace(/;.*/, '').trim() ?? '';

function valueOf(type: string, headers: ArrivedRequest['headers'], body: Buffer): unknown {
  if (FORMS.includes(type)) return formOf(type, headers, body);
  return /^application\/(?:[\w.-]+\+)?json$/.test(type) ? JSON.parse(body.toString()) : body.toString();
}

function openApiBody({ operation, description: { follow } }: PublishedOperation): DescribedBody | undefined {
  if (operation['requestBody'] === undefined) return undefined;
  const written = follow(operation['requestBody']);
  const content = Object.entries((written['content'] ?? {}) as Tree).map(
    ([type, media]) => [type.split(';')[0] ?? '', (media as Tree)['schema'] ?? {}] as const,
  );
  return { required: written['required'] === true, content: new Map(content) };
}

const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded'];

function swaggerBody(found: PublishedOperation): DescribedBody | undefined {
  const { operation, description } = found;
  const [body] = inPlace(found, 'body');
  const fields = inPlace(found, 'formData');
  const consumes = (operation['consumes'] ?? description.root['consumes'] ?? ['application/json']) as readonly string[];
  if (body !== undefined) return { required: body['required'] === true, content: new Map(consumes.map(type => [type, body['schema']])) };
  if (fields.length === 0) return undefined;
  const required = fields.filter(field => field['required'] === true).map(nameOf);
  const schema = { type: 'object', properties: Object.fromEntries(fields.map(field => [nameOf(field), { ...field, required: undefined }])), required };
  return { required: required.length > 0, content: new Map([...FORMS, 'application/octet-stream'].map(type => [type, schema])) };
}

function formOf(type: string, headers: ArrivedRequest['headers'], body: Buffer): Record<string, unknown> {
  if (type === FORMS[1]) return Object.fromEntries(new URLSearchParams(body.toString()));
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body.toString().split(`--${boundary}\r\n`).slice(1);
  return Object.fromEntries(parts.map(part => [/name="([^"]*)"/.exec(part)?.[1] ?? '', /\r\n\r\n(.*?)\r\n/s.exec(part)?.[1] ?? '']));
}

interface Members {
  /** What each part or alternative says of a field. */
  readonly fields: ReadonlyMap<string, readonly unknown[]>;
  readonly required: readonly string[];
  readonly open: boolean;
}

/** Every field that any part or alternative names; what is required is required by the whole or by each of its parts. */
function membersOf({ follow }: PublishedDescription, written: unknown, depth = 0): Members {
  const schema = follow(written);
  if (depth > 8) return { fields: new Map(), required: [], open: true };
  const own = Object.entries((schema['properties'] ?? {}) as Tree).map(([name, field]) => [name, [field]] as const);
  const inner = (member: string): Members[] =>
    [schema[member]]
      .flat()
      .filter(isTree)
      .map(part => membersOf({ follow } as PublishedDescription, part, depth + 1));
  const parts = inner('allOf');
  const choices = [...inner('oneOf'), ...inner('anyOf')];
  const fields = new Map<string, readonly unknown[]>();
  for (const [name, said] of [...[...parts, ...choices].flatMap(part => [...part.fields]), ...own]) fields.set(name, [...(fields.get(name) ?? []), ...said]);
  const more = schema['additionalProperties'];
  const readOnly = (name: string): boolean => (fields.get(name) ?? []).some(field => follow(field)['readOnly'] === true);
  const required = [...((schema['required'] as readonly string[] | undefined) ?? []), ...parts.flatMap(part => part.required)].filter(name => !readOnly(name));
  return { fields, required, open: more === true || isTree(more) || [...parts, ...choices].some(part => part.open) };
}

function fieldProblems(found: PublishedOperation, schema: unknown, value: Tree, textual: boolean): string[] {
  const { fields, required, open } = membersOf(found.description, schema);
  // GitLab's generator lists the splats of a path as fields, too.
  const missing = required.filter(name => value[name] === undefined && !found.names.includes(name)).map(name => `the field ${name} is missing`);
  if (fields.size === 0) return missing;
  const wrong = Object.entries(value).flatMap(([name, one]) => {
    const said = fields.get(name);
    if (said === undefined) return open ? [] : [`${name} is no field of the body`];
    const judged = said.map(field => valueProblems(found, `the field ${name}`, field, one, textual && !isTree(one)));
    return judged.find(problems => problems.length === 0) ?? judged[0] ?? [];
  });
  return [...missing, ...wrong];
}
