/** The manifest of Weir's app, and the page whose form takes it to GitHub: there a person makes the app with one click. */

export interface ManifestFacts {
  readonly name: string;
  /** Where people read what the app is. */
  readonly homepage: string;
  /** Where it delivers to; null: each repository has a webhook of its own, which the app registers. */
  readonly hookUrl: string | null;
  /** Names of the events, as the forge has them. */
  readonly events: readonly string[];
}

/** What Weir does with a repository takes these, and no others. */
const PERMISSIONS = { checks: 'write', contents: 'read', issues: 'write', metadata: 'read', pull_requests: 'write', statuses: 'write' };

/** @param redirect where the person is sent back to, with the code. */
export function appManifest({ name, homepage, hookUrl, events }: ManifestFacts, redirect: string): string {
  const hook =
    hookUrl === null
      ? { default_permissions: { ...PERMISSIONS, repository_hooks: 'write' } }
      : { default_permissions: PERMISSIONS, default_events: events, hook_attributes: { url: hookUrl, active: true } };
  return JSON.stringify({ name, url: homepage, redirect_url: redirect, public: false, ...hook });
}

/** @param organization that will own the app; undefined for the person's own. */
export function manifestAddress(origin: string, organization: string | undefined, state: string): string {
  const path = organization === undefined ? '/settings/apps/new' : `/organizations/${encodeURIComponent(organization)}/settings/apps/new`;
  return `${origin}${path}?state=${encodeURIComponent(state)}`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, found => ENTITIES[found] ?? found);

const page = (body: string): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Weir</title><body>${body}</body></html>`;

export const manifestPage = (address: string, manifest: string): string =>
  page(
    `<h1>An app for Weir</h1><p>${escaped(new URL(address).origin)} shows what it may do, and asks for its name.</p>` +
      `<form method="post" action="${escaped(address)}"><input type="hidden" name="manifest" value="${escaped(manifest)}">` +
      '<button>Make the app</button></form>',
  );

export const DONE_PAGE = page('<h1>The app is made</h1><p>Go back to the terminal: it says where to install it.</p>');
