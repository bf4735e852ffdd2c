/** Which role the claims of an identity provider give. Who fits no rule has none, so that a provider that anyone may join lets nobody in. */
import type { Role } from '@weir/contract';
import { AppError } from '@weir/kernel';

export type Claims = Readonly<Record<string, unknown>>;

/** Each true for the claims of the people that it is about. */
type PersonRule = (claims: Claims) => boolean;

export interface PersonRules {
  readonly admins: readonly PersonRule[];
  readonly viewers: readonly PersonRule[];
}

/** A claim of groups is a list, or one word where there is one. */
const wordsOf = (claim: unknown): readonly unknown[] => (Array.isArray(claim) ? claim : [claim]);

const KINDS: Readonly<Record<string, (value: string, groupsClaim: string) => PersonRule>> = {
  group: (value, groupsClaim) => claims => wordsOf(claims[groupsClaim]).includes(value),
  // An address counts when the provider says that it is the person's (OpenID Connect Core 5.1).
  email: value => claims => claims['email_verified'] === true && typeof claims['email'] === 'string' && claims['email'].toLowerCase() === value.toLowerCase(),
  sub: value => claims => claims['sub'] === value,
};

function readRule(entry: string, setting: string, groupsClaim: string): PersonRule {
  const [, kind = '', value = ''] = /^([a-z]{1,10}):(.{1,500})$/.exec(entry) ?? [];
  const rule = Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(value, groupsClaim) : undefined;
  if (rule === undefined) throw new AppError('CONFIG_INVALID', `${setting}: "${entry}" is not group:NAME, email:ADDRESS or sub:ID.`);
  return rule;
}

const ANYONE = '*';

export interface PersonRuleSettings {
  readonly admins: readonly string[];
  /** `*` is everyone whom the provider signs in. */
  readonly viewers: readonly string[];
  readonly groupsClaim: string;
}

/** Throws AppError CONFIG_INVALID for an entry of another form, and when nobody could sign in. */
export function readPersonRules({ admins, viewers, groupsClaim }: PersonRuleSettings): PersonRules {
  if (admins.length + viewers.length === 0) {
    throw new AppError('CONFIG_INVALID', 'An identity provider is set, and nobody has a role.', { next: 'Set oidc.admins, for example group:platform.' });
  }
  return {
    admins: admins.map(entry => readRule(entry, 'oidc.admins', groupsClaim)),
    viewers: viewers.map(entry => (entry === ANYONE ? () => true : readRule(entry, 'oidc.viewers', groupsClaim))),
  };
}

export function roleOf(claims: Claims, { admins, viewers }: PersonRules): Role | null {
  if (admins.some(rule => rule(claims))) return 'admin';
  return viewers.some(rule => rule(claims)) ? 'viewer' : null;
}
