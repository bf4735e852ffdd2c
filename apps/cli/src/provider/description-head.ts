/** What the head of a description says of itself: format, version, servers, how a caller proves who it is. */
import type { ProviderDescriptor } from '@weir/contract';
import { AppError } from '@weir/kernel';

type Tree = Readonly<Record<string, unknown>>;

export interface DescriptionHead {
  readonly format: ProviderDescriptor['spec']['format'];
  readonly title: string;
  readonly version: string;
  readonly license: string;
  /** Origin of the first server; undefined where the description names none, or one without a host. */
  readonly origin: string | undefined;
  /** The first security scheme that a descriptor can state; undefined where there is none. */
  readonly auth: Pick<ProviderDescriptor['auth'], 'scheme' | 'header'> | undefined;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const treeAt = (value: unknown, key: string): Tree => (isTree(value) && isTree(value[key]) ? value[key] : {});
/** One line of text: titles and versions of a stranger's document go into a file. */
const textAt = (tree: Tree, key: string, otherwise: string): string => {
  const value = tree[key];
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? String(value)
          .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
          .trim()
          .slice(0, 100)
      : '';
  return text === '' ? otherwise : text;
};

const FORMATS: readonly (readonly [member: string, start: string, format: DescriptionHead['format']])[] = [
  ['openapi', '3.1', 'openapi-3.1'],
  ['openapi', '3.0', 'openapi-3.0'],
  ['swagger', '2.0', 'swagger-2.0'],
];

/** Throws COMPILE_FAILED for what is no description of a format that is read. */
export function readHead(description: unknown): DescriptionHead {
  const root = isTree(description) ? description : {};
  const format = FORMATS.find(([member, start]) => `${textAt(root, member, '')}.`.startsWith(`${start}.`))?.[2];
  if (format === undefined) {
    throw new AppError('COMPILE_FAILED', 'this is no OpenAPI 3.0 or 3.1 and no Swagger 2.0 document', {
      next: 'Name the description itself; its first members are `openapi` or `swagger` with a version.',
    });
  }
  const info = treeAt(root, 'info');
  return {
    format,
    title: textAt(info, 'title', 'an API'),
    version: textAt(info, 'version', '1'),
    license: textAt(treeAt(info, 'license'), 'name', 'not stated'),
    origin: format === 'swagger-2.0' ? swaggerOrigin(root) : serverOrigin(root),
    auth: schemesOf(root, format)
      .map(authOf)
      .find(auth => auth !== undefined),
  };
}

const originOf = (text: string): string | undefined => (/^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text).origin : undefined);

function swaggerOrigin(root: Tree): string | undefined {
  const schemes = Array.isArray(root['schemes']) ? root['schemes'] : [];
  const host = textAt(root, 'host', '');
  return host === '' ? undefined : originOf(`${schemes.includes('http') && !schemes.includes('https') ? 'http' : 'https'}://${host}`);
}

function serverOrigin(root: Tree): string | undefined {
  const servers: readonly unknown[] = Array.isArray(root['servers']) ? root['servers'] : [];
  const [first] = servers;
  return isTree(first) ? originOf(textAt(first, 'url', '')) : undefined;
}

const schemesOf = (root: Tree, format: DescriptionHead['format']): readonly unknown[] =>
  Object.values(format === 'swagger-2.0' ? treeAt(root, 'securityDefinitions') : treeAt(treeAt(root, 'components'), 'securitySchemes'));

function authOf(scheme: unknown): DescriptionHead['auth'] {
  if (!isTree(scheme)) return undefined;
  const type = textAt(scheme, 'type', '');
  const kind = type === 'http' ? textAt(scheme, 'scheme', '').toLowerCase() : type;
  if (kind === 'bearer' || kind === 'oauth2' || kind === 'openIdConnect') return { scheme: 'bearer' };
  if (kind === 'basic') return { scheme: 'basic' };
  const header = textAt(scheme, 'name', '');
  if (kind === 'apiKey' && textAt(scheme, 'in', '') === 'header' && /^[\w-]+$/.test(header))
    return header.toLowerCase() === 'authorization' ? { scheme: 'bearer' } : { scheme: 'header', header };
  return undefined;
}
