/**
 * The head of a description: which format it is written in, and the host and path that it puts before every operation.
 */
import type { OperationTable } from '@weir/operation-table';
import { type CompileProblem } from './compile-problem.ts';
import { asArray, asObject, asString, type JsonObject } from './json-value.ts';
import type { Referable } from './look-up.ts';
import type { KnownSchema, SchemaDetail } from './schema-facts.ts';

export type SpecFormat = OperationTable['specFormat'];

export interface Description extends Referable {
  readonly format: SpecFormat;
  /** As the description spells it, with the defaults of server variables; empty where it names none. */
  readonly host: string;
  readonly basePath: string;
  /** True for what `pruneDescription` wrote: ids are final there. */
  readonly pruned: boolean;
  /** Operations, as `METHOD /path`, that were left out when it was pruned. */
  readonly leftOut: readonly string[];
  /** Facts of schemas that have been read, by how much was asked. Saves time and changes nothing. */
  readonly schemas: Readonly<Record<SchemaDetail, WeakMap<object, KnownSchema>>>;
}

/** Root member that `pruneDescription` writes: the operations that it left out as `METHOD /path`, or `true` where there are none. */
export const PRUNED_MARK = 'x-weir-pruned';

const FORMATS: Readonly<Record<SpecFormat, readonly [member: string, version: RegExp]>> = {
  'openapi-3.0': ['openapi', /^3\.0(\.|$)/],
  'openapi-3.1': ['openapi', /^3\.1(\.|$)/],
  'swagger-2.0': ['swagger', /^2\.0$/],
};

/** Reads the head; problems where the value is no description of the format that the descriptor states. */
export function openDescription(value: unknown, format: SpecFormat): Description | CompileProblem {
  const root = asObject(value);
  const [member, version] = FORMATS[format];
  const written = root?.[member];
  if (root === undefined || typeof written !== 'string' || !version.test(written)) {
    return wholeProblem(`/${member}`, `the description is not written as ${format}`, 'correct spec.format of the descriptor, or pin the right file');
  }
  const server = format === 'swagger-2.0' ? swaggerServer(root) : serverOf(root);
  const placeholder = /\{\{\s*([^{}]{1,128}?)\s*\}\}/.exec(`${server.host}${server.path}`);
  if (placeholder !== null) {
    const name = placeholder[1] ?? '';
    return wholeProblem('/', `the placeholder {{${name}}} has no value`, `add "${name}" to spec.template_values of the descriptor`);
  }
  return {
    root,
    format,
    host: server.host,
    basePath: server.path,
    pruned: Object.hasOwn(root, PRUNED_MARK),
    leftOut: asArray(root[PRUNED_MARK]).filter(entry => typeof entry === 'string'),
    found: new Map(),
    schemas: { object: new WeakMap(), value: new WeakMap(), kind: new WeakMap() },
  };
}

const wholeProblem = (place: string, reason: string, mend: string): CompileProblem => ({ operation: '', place, reason, mend });

interface Server {
  readonly host: string;
  readonly path: string;
}

const swaggerServer = (root: JsonObject): Server => ({ host: asString(root['host']) ?? '', path: trimSlash(asString(root['basePath']) ?? '') });

/** The first server of a description, a path or an operation; empty strings where there is none. */
export function serverOf(holder: JsonObject): Server & { readonly url: string } {
  const server = asObject(asArray(holder['servers'])[0]);
  const variables = asObject(server?.['variables']) ?? {};
  // A doubled brace is a template's placeholder, not a server variable.
  const url = (asString(server?.['url']) ?? '').replace(/(?<!\{)\{([^{}]{1,64})\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (asString(asObject(variables[name])?.['default']) ?? whole) : whole,
  );
  const parts = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^?#]*)/i.exec(url);
  return parts === null ? { host: '', path: trimSlash(url), url } : { host: parts[1] ?? '', path: trimSlash(parts[2] ?? ''), url: trimSlash(url) };
}

const trimSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
