/** The OpenAPI 3.1 document of the REST API, from the table of routes; `npm run generate` writes it and the server serves it. */
import { z } from 'zod';
import { ApiProblem } from './api-problem.ts';
import { API_ROUTES } from './routes.ts';
import type { ApiRoute } from './route.ts';

export const API_BASE = '/api/v1';

type Json = Readonly<Record<string, unknown>>;

/** Without the dialect, which the document names once. */
function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const schema = z.toJSONSchema(type, { io, target: 'draft-2020-12' });
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '~standard'));
}

function parametersOf(shape: z.ZodObject, place: 'path' | 'query'): readonly Json[] {
  const { properties = {}, required = [] } = schemaOf(shape, 'input') as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: place, required: place === 'path' || required.includes(name), schema }));
}

/** A text that the same key repeats is done once. */
const IDEMPOTENCY = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', minLength: 8, maxLength: 200 } };
const PROBLEM = {
  description: 'A problem, with its code and what to do next.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ApiProblem' } } },
};

function successOf({ answer, stream }: ApiRoute): Json {
  if (stream === true) return { 200: { description: 'Server-sent events.', content: { 'text/event-stream': { schema: { type: 'string' } } } } };
  if (answer === null) return { 204: { description: 'Done.' } };
  return { 200: { description: 'The answer.', content: { 'application/json': { schema: schemaOf(answer, 'output') } } } };
}

const operationOf = (route: ApiRoute): Json => ({
  operationId: route.id,
  summary: route.summary,
  tags: [route.path.split('/')[1] ?? ''],
  'x-weir-role': route.role,
  security: route.role === 'anyone' ? [] : [{ bearer: [] }, { session: [] }],
  parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query'), ...(route.method === 'GET' ? [] : [IDEMPOTENCY])],
  ...(route.body === null ? {} : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } } }),
  responses: { ...successOf(route), default: PROBLEM },
});

function pathsOf(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of API_ROUTES) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return paths;
}

/** @param version of the program. */
export const openApiDocument = (version: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Weir',
    version,
    summary: 'Reviews, what they cost, and why.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: API_BASE }],
  paths: pathsOf(),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'A token of `weir token create`.' },
      session: { type: 'apiKey', in: 'cookie', name: '__Host-weir', description: 'The session of a browser.' },
    },
    schemas: { ApiProblem: schemaOf(ApiProblem, 'output') },
  },
});
