/**
 * What an operator lets a provider do: `policy/<provider>.yaml` in the configuration directory sets keys of the descriptor's
 * policy. It is the only thing that widens the policy of a built-in provider.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ProviderDescriptor } from '@weir/contract';
import { AppError } from '@weir/kernel';
import { nearestName } from '@weir/operation-table';
import { mergeDescriptor, readDescriptor } from '@weir/provider-descriptor';
import { configFile } from '../paths.ts';

const ENDING = '.yaml';
const policyFolder = (): string => path.join(path.dirname(configFile()), 'policy');

export const operatorPolicyFile = (provider: string): string => path.join(policyFolder(), `${provider}${ENDING}`);

/** Throws DESCRIPTOR_INVALID for a policy of a provider that is not there: it would narrow nothing, and nobody would notice. */
export async function assertPoliciesNameProviders(providers: readonly string[]): Promise<void> {
  if (!existsSync(policyFolder())) return;
  const stray = (await readdir(policyFolder())).find(file => file.endsWith(ENDING) && !providers.includes(file.slice(0, -ENDING.length)));
  if (stray === undefined) return;
  const meant = nearestName(stray.slice(0, -ENDING.length), providers);
  throw new AppError(
    'DESCRIPTOR_INVALID',
    `${path.join(policyFolder(), stray)} is the policy of no provider${meant === undefined ? '' : ` (did you mean ${meant}?)`}`,
    {
      next: 'Give the file the name of a provider; `weir provider list` prints them.',
    },
  );
}

type Tree = Readonly<Record<string, unknown>>;

/** The descriptor with the operator's policy; keys that the file does not have stay. Throws DESCRIPTOR_INVALID with every problem of the file. */
export function withOperatorPolicy(descriptor: ProviderDescriptor, tree: Tree, policy: unknown): ProviderDescriptor {
  if (policy === undefined || policy === null) return descriptor;
  const file = operatorPolicyFile(descriptor.name);
  if (typeof policy !== 'object' || Array.isArray(policy)) throw new AppError('DESCRIPTOR_INVALID', `${file} has to be a map of keys`);
  // What it extends is merged into the tree already.
  const reading = readDescriptor(mergeDescriptor(tree, { extends: null, policy }));
  if (reading.ok) return { ...descriptor, policy: reading.descriptor.policy };
  const lines = reading.problems.map(
    ({ path: place, message, suggestion }) =>
      `${place.replace(/^policy\.?/, '') || 'policy'}: ${message}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`,
  );
  throw new AppError('DESCRIPTOR_INVALID', `${file}:\n${lines.join('\n')}`);
}
