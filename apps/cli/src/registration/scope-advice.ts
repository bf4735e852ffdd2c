/** Which scopes a token lacks for what Weir does (REV-33). Advice: the forge decides, and says so with each call. */

interface Need {
  /** One of them is enough. */
  readonly anyOf: readonly string[];
  readonly what: string;
}

/** Sources: each forge's list of scopes. A scope that includes another is named beside it. */
const GITHUB: readonly Need[] = [
  { anyOf: ['repo', 'public_repo'], what: 'reading changes and posting comments' },
  { anyOf: ['repo', 'repo:status'], what: 'the check of private repositories' },
  { anyOf: ['repo', 'admin:repo_hook', 'write:repo_hook'], what: 'registering webhooks' },
];
const NEEDS: Readonly<Record<string, readonly Need[]>> = {
  github: GITHUB,
  'github-ghec': GITHUB,
  'github-ghes': GITHUB,
  gitlab: [{ anyOf: ['api'], what: 'posting comments, statuses and webhooks' }],
  'bitbucket-cloud': [
    { anyOf: ['pullrequest:write', 'write:pullrequest:bitbucket'], what: 'posting comments' },
    { anyOf: ['repository', 'repository:write', 'repository:admin', 'pullrequest:write', 'read:repository:bitbucket'], what: 'reading changes' },
    { anyOf: ['webhook', 'write:webhook:bitbucket'], what: 'registering webhooks' },
  ],
};

/** What is missing, a phrase each; empty where the token tells no scopes or the forge has none. */
export function missingScopes(forge: string, scopes: readonly string[] | null): readonly string[] {
  if (scopes === null) return [];
  return (NEEDS[forge] ?? []).filter(({ anyOf }) => !anyOf.some(scope => scopes.includes(scope))).map(({ anyOf, what }) => `${anyOf[0] ?? ''} (${what})`);
}
