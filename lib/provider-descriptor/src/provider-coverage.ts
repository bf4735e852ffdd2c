/**
 * What of a provider's published API Weir reaches, with every gap by its name and reason, and the page that shows it.
 */
import { type ProviderDescriptor, type Verb, VERBS } from '@weir/contract';
import type { OperationGap, OperationTable } from '@weir/operation-table';

export interface ProviderCoverage {
  readonly name: string;
  readonly product: string | null;
  readonly apiVersion: string;
  /** Operations of the vendor's description. */
  readonly published: number;
  /** Operations that the vendor's description lacks and our supplement describes. */
  readonly supplemented: number;
  /** Operations of both that can be called. */
  readonly compiled: number;
  readonly gaps: readonly OperationGap[];
  readonly bound: readonly Verb[];
  /** Verb -> what happens instead. */
  readonly unsupported: Readonly<Partial<Record<Verb, string>>>;
  /** Neither bound nor declared unsupported. */
  readonly unbound: readonly Verb[];
  /** Verbs whose result passes a function, with its name. */
  readonly quirks: Readonly<Partial<Record<Verb, string>>>;
}

/** @param supplement the parsed supplement of the descriptor, where it has one. */
export function providerCoverage(descriptor: ProviderDescriptor, table: OperationTable, supplement: unknown): ProviderCoverage {
  const { name, product, capabilities, unsupported } = descriptor;
  const supplemented = countOperations(supplement);
  const quirks = VERBS.flatMap(verb => (capabilities[verb]?.quirk === undefined ? [] : [[verb, capabilities[verb].quirk] as const]));
  return {
    name,
    product: product ?? null,
    apiVersion: table.apiVersion,
    published: table.operations.length + table.gaps.length - supplemented,
    supplemented,
    compiled: table.operations.length,
    gaps: table.gaps,
    bound: VERBS.filter(verb => capabilities[verb] !== undefined),
    unsupported,
    unbound: VERBS.filter(verb => capabilities[verb] === undefined && unsupported[verb] === undefined),
    quirks: Object.fromEntries(quirks),
  };
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

function countOperations(description: unknown): number {
  const paths = membersOf(membersOf(description)['paths']);
  return Object.values(paths).reduce<number>((sum, item) => sum + METHODS.filter(method => Object.hasOwn(membersOf(item), method)).length, 0);
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
