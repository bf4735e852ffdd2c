/** The pages, in the order of the navigation: one table for links, keys and the palette. */

export interface PageLink {
  readonly to: string;
  readonly label: string;
  /** After `g`. */
  readonly key: string;
}

interface PageGroup {
  readonly label: string | null;
  readonly pages: readonly PageLink[];
}

export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    label: null,
    pages: [
      { to: '/', label: 'Inbox', key: 'i' },
      { to: '/reviews', label: 'Reviews', key: 'r' },
      { to: '/work', label: 'Work', key: 'w' },
      { to: '/runs', label: 'Runs', key: 'u' },
    ],
  },
  {
    label: 'Registry',
    pages: [
      { to: '/repositories', label: 'Repositories', key: 'o' },
      { to: '/accounts', label: 'Accounts', key: 'a' },
      { to: '/providers', label: 'Providers', key: 'p' },
      { to: '/models', label: 'Models', key: 'm' },
      { to: '/specialists', label: 'Specialists', key: 'c' },
    ],
  },
  {
    label: 'Ledger',
    pages: [
      { to: '/spend', label: 'Spend', key: 's' },
      { to: '/events', label: 'Events', key: 'e' },
      { to: '/deliveries', label: 'Deliveries', key: 'd' },
      { to: '/dead-letters', label: 'Dead letters', key: 'x' },
      { to: '/settings', label: 'Settings', key: 't' },
      { to: '/first-run', label: 'First run', key: 'f' },
    ],
  },
];

export const PAGES: readonly PageLink[] = PAGE_GROUPS.flatMap(group => group.pages);
