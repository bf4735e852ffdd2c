export { createIdentity, type IdentityParts } from './create-identity.ts';
export { IDENTITY_MIGRATIONS } from './migrations.ts';
export { sqlAnswerStore } from './sql.answer-store.ts';
export { type ApiToken, type ApiTokens, sqlApiTokens } from './sql.api-tokens.ts';
export { type Person, type SessionStore, sqlSessionStore } from './sql.session-store.ts';
export { type SignInLinks, sqlSignInLinks } from './sql.sign-in-links.ts';
