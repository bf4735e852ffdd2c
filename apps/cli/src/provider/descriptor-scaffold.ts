/** The text of a first descriptor: everything that the description says, and a comment wherever a person has to decide. */
import type { ProviderDescriptor, SpecSource } from '@weir/contract';
import { stringify } from 'yaml';
import type { DescriptionHead } from './description-head.ts';

export interface PinnedDescription {
  readonly head: DescriptionHead;
  readonly source: SpecSource;
  readonly digest: string;
}

export interface ScaffoldFacts {
  readonly name: string;
  readonly kind: ProviderDescriptor['kind'];
  readonly baseUrl: string | undefined;
  readonly description: PinnedDescription;
}

export interface ChildFacts {
  readonly parent: ProviderDescriptor;
  readonly name: string;
  readonly kind: ProviderDescriptor['kind'] | undefined;
  readonly baseUrl: string | undefined;
  /** Absent where the parent's own description is kept. */
  readonly description: PinnedDescription | undefined;
}

const yaml = (value: object): string => stringify(value, { lineWidth: 0 });
const tokenVariable = (name: string): string => `WEIR_${name.toUpperCase().replaceAll('-', '_')}_TOKEN`;

const specOf = ({ head, source, digest }: PinnedDescription) => ({
  format: head.format,
  source,
  api_version: head.version,
  digest,
  license: head.license,
});

const address = (baseUrl: string | undefined): string =>
  baseUrl === undefined
    ? '# Every instance has its own address: give it to each call with --base-url, or write base_url here.\nbase_url_from: instance\n'
    : yaml({ base_url: baseUrl });

function authLines(name: string, auth: DescriptionHead['auth']): string {
  const seen = auth === undefined ? 'The description names no scheme that is known here; bearer is a guess.' : "From the description's security schemes.";
  return `# ${seen} Schemes: bearer, token_prefix, basic, header, app, oauth_bearer, none.
# env: variables that may hold the token, in order; the scheme none has no env.
${yaml({ auth: { ...(auth ?? { scheme: 'bearer' }), env: [tokenVariable(name)] } })}`;
}

/** A whole descriptor. It has no capabilities: every operation can be called by its id. */
export const descriptorScaffold = ({
  name,
  kind,
  baseUrl,
  description,
}: ScaffoldFacts): string => `# ${description.head.title}. Keys: docs/reference/provider-descriptor.schema.json.
version: 1
name: ${name}
kind: ${kind}
${address(baseUrl)}
${yaml({ spec: specOf(description) })}
${authLines(name, description.head.auth)}
# How lists go on, and the most entries that a page may have: link, page, cursor, since, offset, start, next-url.
pagination:
  style: link
  per_page_max: 100

# Which operations are compiled; all, where nothing is said. include, exclude: ids, or METHOD /path.
operations:
  exclude: []

# Verbs of Weir -> operations. A provider of kind forge binds each verb, or says under unsupported what happens instead.
capabilities: {}

# Writes are denied unless an operation, or a verb, is named here.
policy:
  allowed_mutations: []
`;

/** Nulls take away what the parent's source has and this one has not: maps merge key by key. */
const replacing = (parent: SpecSource, source: SpecSource): Record<string, unknown> => ({
  ...Object.fromEntries(Object.keys(parent).map(key => [key, null])),
  ...source,
});

/** A descriptor that takes another one whole, and says what is different. */
export function childScaffold({ name, parent, kind, baseUrl, description }: ChildFacts): string {
  const spec =
    description === undefined
      ? ''
      : yaml({
          spec: {
            ...specOf(description),
            source: replacing(parent.spec.source, description.source),
            ...(parent.spec.template_values === undefined ? {} : { template_values: null }),
          },
        });
  return `# ${parent.name}, taken whole; what is written here stands above it. Keys: docs/reference/provider-descriptor.schema.json.
version: 1
name: ${name}
extends: ${parent.name}
${kind === undefined ? '' : yaml({ kind })}${baseUrl === undefined ? '' : yaml({ base_url: baseUrl })}${spec === '' ? '' : `\n${spec}`}
${childAuth(name, parent.auth, baseUrl)}
# Lists replace the parent's: writes that are allowed here. Without this key the parent's hold.
${yaml({ policy: { allowed_mutations: parent.policy.allowed_mutations } })}`;
}

/** At another address the parent's credentials are not sent: neither its variables nor the token of a vendor's CLI. */
function childAuth(name: string, { scheme, env, fallback }: ProviderDescriptor['auth'], baseUrl: string | undefined): string {
  if (scheme === 'none') return '';
  const elsewhere = baseUrl !== undefined;
  const auth = { env: [tokenVariable(name), ...(elsewhere ? [] : env)], ...(elsewhere && fallback !== undefined ? { fallback: null } : {}) };
  return `# Variables that may hold the token, in order.\n${yaml({ auth })}`;
}
