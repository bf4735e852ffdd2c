/** Who somebody is: people by session, programs by bearer token, the local admin by a one-time link. The door of the API asks it. */
import type { Identity } from '@weir/ports';
import type { ApiTokens } from './sql.api-tokens.ts';
import type { SessionStore } from './sql.session-store.ts';
import type { SignInLinks } from './sql.sign-in-links.ts';

export interface IdentityParts {
  readonly sessions: SessionStore;
  readonly tokens: ApiTokens;
  readonly links: SignInLinks;
}

const LOCAL_ADMIN = { subject: 'local:admin', name: 'Local admin', role: 'admin' } as const;

export function createIdentity({ sessions, tokens, links }: IdentityParts): Identity {
  return {
    async session(secret) {
      const person = await sessions.find(secret);
      return person === null ? null : { ...person, by: 'session' };
    },
    async bearer(secret) {
      const token = await tokens.find(secret);
      return token === null ? null : { subject: `token:${token.id}`, name: token.label, role: token.role, by: 'bearer' };
    },
    signOut: secret => sessions.end(secret),
    useLink: async secret => ((await links.use(secret)) ? sessions.open(LOCAL_ADMIN) : null),
  };
}
