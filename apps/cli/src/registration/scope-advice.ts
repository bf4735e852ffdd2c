/** Which scopes a token lacks for what Weir does (REV-33). Advice: the forge decides, and says so with each call. */
import type { ProviderDescriptor } from '@weir/contract';
import type { ForgeAccount } from '@weir/ports';
import { loadProvider, providerNames } from '../provider/provider-files.ts';

type Needs = ProviderDescriptor['auth']['scopes'];

/** What is missing, a phrase each; empty where the token tells no scopes or the forge has none. */
export function missingScopes(needs: Needs, scopes: readonly string[] | null): readonly string[] {
  if (scopes === null) return [];
  return needs.filter(({ any_of: anyOf }) => !anyOf.some(scope => scopes.includes(scope))).map(({ any_of: [first = ''], for: what }) => `${first} (${what})`);
}

/** The same of a stored account: nothing for one whose provider is no longer there. Throws DESCRIPTOR_INVALID. */
export async function missingOf({ forge, scopes }: Pick<ForgeAccount, 'forge' | 'scopes'>): Promise<readonly string[]> {
  if (scopes === null || !(await providerNames()).some(({ name }) => name === forge)) return [];
  return missingScopes((await loadProvider(forge)).descriptor.auth.scopes, scopes);
}
