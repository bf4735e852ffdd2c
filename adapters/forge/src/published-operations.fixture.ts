/**
 * The operations of a built-in provider as its vendor publishes them, read from the description itself. Nothing of the compiler or the
 * executor is used here, so that a mistake of theirs is seen.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { DESCRIPTORS, specPath } from './load-builtin.fixture.ts';

export type Tree = Readonly<Record<string, unknown>>;
export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export interface PublishedOperation {
  /** `GET /path/{name}`, as published. */
  readonly label: string;
  readonly method: string;
  /** With the path that stands before every operation. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** Literal characters of the path: of two that match, the one with more is meant. */
  readonly weight: number;
  readonly parameters: readonly Tree[];
  readonly operation: Tree;
  readonly description: PublishedDescription;
}

export interface PublishedDescription {
  readonly swagger: boolean;
  readonly root: Tree;
  readonly follow: (value: unknown) => Tree;
  /** Content types that every operation answers in, by the vendor's documentation. */
  readonly also: readonly string[];
}

interface Facts {
  /** Below the folder of published descriptions; absent for one that we wrote, which stands beside its descriptor. */
  readonly file?: string;
  readonly prefix: string;
  /** Path values that hold slashes though the description does not say so; what this forge answers to. */
  readonly slashed?: readonly string[];
  readonly also?: readonly string[];
}

/** The vendor recommends it for every call; its description has the plain type. */
const GITHUB_JSON = ['application/vnd.github+json'];

export const SPEC_FACTS = {
  github: { file: 'github/api.github.com.json', prefix: '', also: GITHUB_JSON },
  'github-ghec': { file: 'github/ghec.json', prefix: '', also: GITHUB_JSON },
  'github-ghes': { file: 'github/ghes-3.19.json', prefix: '/api/v3', also: GITHUB_JSON },
  gitlab: { file: 'gitlab/gitlab-openapi.voxgig.yaml', prefix: '' },
  gitea: { file: 'gitea/v1_json.tmpl', prefix: '/api/v1', slashed: ['filepath'] },
  forgejo: { file: 'forgejo/swagger.v1.denis-ev.json', prefix: '/api/v1', slashed: ['filepath'] },
  'bitbucket-cloud': { file: 'bitbucket-cloud/swagger.v3.json', prefix: '/2.0', slashed: ['path'] },
  'bitbucket-dc': { file: 'bitbucket-dc/swagger.v3.json', prefix: '/rest', slashed: ['path'] },
  npm: { prefix: '' },
  pypi: { prefix: '' },
} as const satisfies Record<string, Facts>;
export type DescribedProvider = keyof typeof SPEC_FACTS;

/** The published description, else the committed one; undefined where neither is at hand, which `specPath` says loudly. */
function fileOf(name: DescribedProvider): string | undefined {
  const { file }: Facts = SPEC_FACTS[name];
  if (file === undefined) return path.join(DESCRIPTORS, name, 'openapi.yaml');
  const committed = path.join(DESCRIPTORS, name, 'spec.pruned.json');
  return specPath(file) ?? (existsSync(committed) ? committed : undefined);
}

/** YAML takes references to itself; a Go template's placeholders stand for nothing that a request holds. */
const read = (file: string): unknown => {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  return file.endsWith('.yaml') ? parse(text, { maxAliasCount: 1_000 }) : JSON.parse(text.replace(/\{\{[^{}]*\}\}/g, ''));
};

/** With the overlay and the supplement of the provider's own folder. Undefined where the description is not at hand. */
export const readPublished = (name: DescribedProvider, { overlay, supplement }: { readonly overlay?: string; readonly supplement?: string }) => {
  const file = fileOf(name);
  if (file === undefined) return undefined;
  const root = read(file) as Tree;
  if (overlay !== undefined && !file.endsWith('spec.pruned.json')) for (const entry of listOf(read(overlay))) lay(root, entry as Tree);
  const facts: Facts = SPEC_FACTS[name];
  const added = supplement === undefined ? [] : operationsOf(read(supplement) as Tree, facts);
  return [...operationsOf(root, facts), ...added].sort((left, right) => right.weight - left.weight);
};

/** One entry of a JSON Patch. */
function lay(root: Tree, { op, path: pointer, value }: Tree): void {
  const keys = String(pointer)
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  const holder = keys.reduce<unknown>((node, key) => (node as Tree)[key], root) as Record<string, unknown>;
  if (op === 'add' && Array.isArray(holder)) holder.splice(last === '-' ? holder.length : Number(last), 0, value);
  else if (op === 'add' || op === 'replace') holder[last] = value;
  else if (op === 'remove') delete holder[last];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

function operationsOf(root: Tree, { prefix, slashed = [], also = [] }: Facts): PublishedOperation[] {
  const lookUp = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (node as Tree)[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')], root);
  const follow = (value: unknown): Tree => (isTree(value) && typeof value['$ref'] === 'string' ? follow(lookUp(value['$ref'])) : isTree(value) ? value : {});
  const description = { swagger: root['swagger'] !== undefined, root, follow, also };
  return Object.entries(root['paths'] as Tree).flatMap(([template, item]) =>
    METHODS.flatMap(method => {
      const operation = (item as Tree)[method];
      if (!isTree(operation)) return [];
      const declared = [...listOf((item as Tree)['parameters']), ...listOf(operation['parameters'])].map(follow);
      const parameters = [...new Map(declared.map(one => [`${String(one['in'])} ${String(one['name'])}`, one])).values()];
      const flagged = parameters.filter(one => one['x-multi-segment'] === true || one['x-multi-segment'] === 'keep').map(one => String(one['name']));
      const at = serverPath(operation) ?? serverPath(item as Tree) ?? prefix;
      const label = `${method.toUpperCase()} ${template}`;
      return [{ label, method: method.toUpperCase(), ...patternOf(at + template, [...flagged, ...slashed]), parameters, operation, description }];
    }),
  );
}

/** Path of a server of its own, behind whatever host. */
function serverPath(holder: Tree): string | undefined {
  const [server] = listOf(holder['servers']);
  return isTree(server)
    ? String(server['url'])
        .replace(/^[^/]*\/\/[^/]*/, '')
        .replace(/\/$/, '')
    : undefined;
}

const TOKEN = /\\([()])|\{([^{}]+)\}|(?<=[/'(])\*(\w+)|([()])|[^\\{}()*]+|./g;

/** `(…/)` and `(*name)` of GitLab's paths may be there or not; other brackets are text. */
function patternOf(template: string, slashed: readonly string[]): Pick<PublishedOperation, 'pattern' | 'names' | 'weight'> {
  const names: string[] = [];
  const groups = new Set([...template.matchAll(/(?<!\\)\((?:[^()\\]*\/[^()\\]*|\*\w+)\)/g)].flatMap(({ index, 0: text }) => [index, index + text.length - 1]));
  let weight = 0;
  const written = (name: string, rest: boolean): string => {
    names.push(name);
    return rest ? '(.+?)' : '([^/]+?)';
  };
  // A word before the last placeholder (`…/diff{path}`) means the rest of the path.
  const isTail = (index: number, text: string): boolean => index + text.length === template.length && /\w/.test(template.charAt(index - 1));
  const pattern = [...template.matchAll(TOKEN)].map(({ 0: text, 2: name, 3: splat, 4: bracket, index }) => {
    if (splat !== undefined) return written(splat, true);
    if (name !== undefined) return written(name, slashed.includes(name) || isTail(index, text));
    if (bracket !== undefined && groups.has(index)) return bracket === '(' ? '(?:' : ')?';
    weight += text.length;
    return text.replace(/^\\/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return { pattern: new RegExp(`^${pattern.join('')}$`), names, weight };
}
