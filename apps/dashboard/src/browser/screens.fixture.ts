/** Every screen with its address, for pictures and for the search for barriers. */
import { SETTLEMENT } from '../../../cli/src/dashboard/lively-world.fixture.ts';

export const SCREENS: Readonly<Record<string, string>> = {
  inbox: '/',
  reviews: '/reviews',
  review: `/reviews/${SETTLEMENT}`,
  why: `/reviews/${SETTLEMENT}?why=review%2F${SETTLEMENT}%2Fresolved`,
  work: '/work',
  runs: '/runs',
  repositories: '/repositories',
  accounts: '/accounts',
  providers: '/providers',
  models: '/models',
  specialists: '/specialists',
  spend: '/spend',
  events: '/events',
  deliveries: '/deliveries',
  'dead-letters': '/dead-letters',
  settings: '/settings',
  'first-run': '/first-run',
};
