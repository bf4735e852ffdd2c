/** The identity provider of the settings: none, or all that signing in by it needs. */
import { AppError } from '@weir/kernel';
import { type ProviderSettings, readPersonRules } from '@weir/oidc';
import type { LoadedSettings } from '../composition/load-settings.ts';

/** @returns null without an issuer. Throws AppError CONFIG_INVALID for settings that do not make one. */
export function signInSettings({ get }: Pick<LoadedSettings, 'get'>): ProviderSettings | null {
  const issuer = get<string | null>('oidc.issuer');
  if (issuer === null) return null;
  const clientId = get<string | null>('oidc.clientId');
  if (!URL.canParse(issuer) || !/^https?:/.test(issuer)) throw new AppError('CONFIG_INVALID', 'oidc.issuer is not an http address.');
  if (clientId === null) throw new AppError('CONFIG_INVALID', 'oidc.issuer is set, and oidc.clientId is not.');
  return {
    ...{ issuer, clientId, clientSecret: get<string | null>('oidc.clientSecret'), scopes: get<readonly string[]>('oidc.scopes') },
    people: readPersonRules({
      admins: get<readonly string[]>('oidc.admins'),
      viewers: get<readonly string[]>('oidc.viewers'),
      groupsClaim: get<string>('oidc.groupsClaim'),
    }),
  };
}
