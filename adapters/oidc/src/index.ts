export { createProviderSignIn, type ProviderSettings, type ProviderSignInParts } from './create-provider-sign-in.ts';
export { readPersonRules, type PersonRules } from './person-rules.ts';
