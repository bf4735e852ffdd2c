/**
 * Reads a descriptor's parsed tree: resolves `extends`, validates, and says where a mistake is and what was probably meant.
 */
import { ProviderDescriptor } from '@weir/contract';
import { nearestName } from '@weir/operation-table';
import type { z } from 'zod';
import { knownKeysAt } from './descriptor-schema.ts';
import { isTree, mergeDescriptor } from './merge-descriptor.ts';

export interface DescriptorProblem {
  /** Keys with dots between, `capabilities.change.get` as `capabilities["change.get"]`; empty for the whole. */
  readonly path: string;
  readonly message: string;
  /** The key or word that was probably meant. */
  readonly suggestion?: string;
}

export type DescriptorReading =
  /** `tree` is the merged tree, ready to be the parent of another. */
  | { readonly ok: true; readonly descriptor: ProviderDescriptor; readonly tree: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly DescriptorProblem[] };

/** Problems that are named at most. */
const MAX_PROBLEMS = 50;

/**
 * @param tree what a YAML or JSON parser made of the file.
 * @param parent the merged tree of the descriptor that `extends` names; it has to be given exactly when `extends` is there.
 */
export const readDescriptor = (tree: unknown, { parent }: { readonly parent?: unknown } = {}): DescriptorReading => {
  if (!isTree(tree)) return failed({ path: '', message: 'a descriptor is a map of keys' });
  const base = tree['extends'];
  if (base !== undefined && !isTree(parent))
    return failed({ path: 'extends', message: `the descriptor that it extends, ${JSON.stringify(base)}, is not there` });
  if (base === undefined && parent !== undefined) return failed({ path: 'extends', message: 'the descriptor extends nothing, yet a parent is given' });
  const merged = isTree(parent) ? mergeDescriptor(parent, tree) : tree;
  const read = ProviderDescriptor.safeParse(merged);
  if (read.success) return { ok: true, descriptor: read.data, tree: merged };
  return { ok: false, problems: read.error.issues.flatMap(problemsOf).slice(0, MAX_PROBLEMS) };
};

const failed = (problem: DescriptorProblem): DescriptorReading => ({ ok: false, problems: [problem] });

function problemsOf(issue: z.core.$ZodIssue): readonly DescriptorProblem[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownKey(issue.path, key));
  if (issue.code === 'invalid_value' && typeof issue.input === 'string') return [withSuggestion(issue, nearestName(issue.input, issue.values.map(String)))];
  return [{ path: pathText(issue.path), message: issue.message }];
}

function unknownKey(path: readonly PropertyKey[], key: string): DescriptorProblem {
  const suggestion = nearestName(key, knownKeysAt(path));
  return { path: pathText([...path, key]), message: 'this key is not known', ...(suggestion === undefined ? {} : { suggestion }) };
}

const withSuggestion = (issue: z.core.$ZodIssue, suggestion: string | undefined): DescriptorProblem => ({
  path: pathText(issue.path),
  message: issue.message,
  ...(suggestion === undefined ? {} : { suggestion }),
});

/** Keys with a dot or another mark inside stand in brackets. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
