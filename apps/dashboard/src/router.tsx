/** Addresses and their screens. Each screen is a chunk of its own; filters are typed parts of the address. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Failure } from './marks/states.tsx';
import { NotFound } from './screens/not-found.screen.tsx';
import { readEventsFilter } from './screens/events-filter.ts';
import { readReviewsFilter } from './screens/reviews-filter.ts';
import { readText } from './screens/search-text.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => (
    <main className="page" id="page">
      <Failure error={error} onRetry={reset} />
    </main>
  ),
  validateSearch: (search: Record<string, unknown>): { why?: string } => readText(search, ['why']),
});

const page = <const Path extends string>(path: Path, load: () => Promise<{ readonly Screen: () => React.JSX.Element }>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, 'Screen') });

const reviews = createRoute({
  getParentRoute: () => root,
  path: '/reviews',
  component: lazyRouteComponent(() => import('./screens/reviews.screen.tsx'), 'Screen'),
  validateSearch: readReviewsFilter,
});
const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  component: lazyRouteComponent(() => import('./screens/events.screen.tsx'), 'Screen'),
  validateSearch: readEventsFilter,
});

const routes = root.addChildren([
  reviews,
  events,
  page('/', () => import('./screens/inbox.screen.tsx')),
  page('/reviews/$reviewId', () => import('./screens/review/review.screen.tsx')),
  page('/work', () => import('./screens/work.screen.tsx')),
  page('/runs', () => import('./screens/runs.screen.tsx')),
  page('/repositories', () => import('./screens/repositories.screen.tsx')),
  page('/accounts', () => import('./screens/accounts.screen.tsx')),
  page('/providers', () => import('./screens/providers.screen.tsx')),
  page('/models', () => import('./screens/models.screen.tsx')),
  page('/specialists', () => import('./screens/specialists.screen.tsx')),
  page('/spend', () => import('./screens/spend.screen.tsx')),
  page('/deliveries', () => import('./screens/deliveries.screen.tsx')),
  page('/dead-letters', () => import('./screens/dead-letters.screen.tsx')),
  page('/settings', () => import('./screens/settings.screen.tsx')),
  page('/first-run', () => import('./screens/first-run.screen.tsx')),
]);

export const router = createRouter({ routeTree: routes, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
