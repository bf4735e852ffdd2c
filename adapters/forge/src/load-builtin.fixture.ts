/**
 * The built-in descriptors and the sample answers, for the tests of this package.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProviderDescriptor } from '@weir/contract';
import { readDescriptor } from '@weir/provider-descriptor';
import { parse } from 'yaml';

export const PROVIDERS = ['github', 'github-ghec', 'github-ghes', 'gitlab', 'gitea', 'forgejo', 'bitbucket-cloud', 'bitbucket-dc'] as const;
export type BuiltinProvider = (typeof PROVIDERS)[number];

export const DESCRIPTORS = path.resolve(import.meta.dirname, '../../../descriptors/providers');

type Tree = Record<string, unknown>;
const readYaml = (file: string): Tree => parse(readFileSync(file, 'utf8'), { maxAliasCount: 1_000, merge: true }) as Tree;
const treeOf = (name: string): Tree => readYaml(path.join(DESCRIPTORS, name, 'provider.yaml'));

/** Throws with every problem. */
export const loadDescriptor = (name: string): ProviderDescriptor => {
  const own = treeOf(name);
  const base = own['extends'];
  const reading = readDescriptor(own, typeof base === 'string' ? { parent: treeOf(base) } : {});
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems, undefined, 1));
  return reading.descriptor;
};

const answersOf = (name: string): Tree => readYaml(path.resolve(import.meta.dirname, `../fixtures/answers/${name}.yaml`));
const PARENTS: Partial<Record<BuiltinProvider, string>> = { 'github-ghec': 'github', 'github-ghes': 'github', forgejo: 'gitea' };
const OWN: readonly string[] = ['github-ghes'];

export interface SampleAnswers {
  /** Answer by name of the call. */
  readonly calls: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/** Sample answers by verb. */
export const loadSamples = (name: BuiltinProvider): ReadonlyMap<string, SampleAnswers> => {
  const parent = PARENTS[name];
  const raw = { ...(parent === undefined ? answersOf(name) : answersOf(parent)), ...(OWN.includes(name) ? answersOf(name) : {}) };
  return new Map(
    Object.entries(raw).map(([verb, sample]) => {
      const { headers = {}, status = 200, ...calls } = sample as Tree;
      return [verb, { calls, headers: headers as Record<string, string>, status: status as number }];
    }),
  );
};

export const loadArguments = (): Readonly<Record<string, unknown>> => answersOf('arguments');

const SHARED = path.resolve(import.meta.dirname, '../../..', process.env['WEIR_SHARED'] ?? '../shared');

/** A published description; undefined, and said loudly, where the folder of descriptions is not there. */
export const specPath = (file: string): string | undefined => {
  const found = path.join(SHARED, 'specs', file);
  if (existsSync(found)) return found;
  console.warn(`SKIPPED: ${file} is not there; set WEIR_SHARED to the folder that holds specs/`);
  return undefined;
};
