/** The pages at the left, with what needs a person and what is in flight beside them; below, who is signed in, and whether the page is live. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Inbox, ReviewList } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { useColourScheme } from '../ui/index.ts';
import { useLive } from './live.tsx';
import { LiveDot } from './live-dot.tsx';
import { PAGE_GROUPS, type PageLink } from './navigation.ts';
import { Person } from './person.tsx';

function PageItem({ page, count, needs }: { readonly page: PageLink; readonly count: number | undefined; readonly needs: boolean }): JSX.Element {
  return (
    <li>
      <Link to={page.to} activeOptions={{ exact: page.to === '/', includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
        {page.label}
        {count !== undefined && count > 0 && <span className={needs ? 'count needs' : 'count'}>{count}</span>}
      </Link>
    </li>
  );
}

interface NavigationProps {
  readonly onKeys: () => void;
  readonly onPalette: () => void;
}

export function Navigation({ onKeys, onPalette }: NavigationProps): JSX.Element {
  const { state } = useLive();
  const scheme = useColourScheme();
  const inbox = useQuery(read<Inbox>('/inbox'));
  const reviews = useQuery(read<ReviewList>('/reviews', { limit: 1 }));
  const counts: Readonly<Record<string, number | undefined>> = { '/': inbox.data?.items.length, '/reviews': reviews.data?.totals.inFlight };
  return (
    <nav className="navigation" aria-label="Pages">
      <Link to="/" className="brand">
        ◈ weir
      </Link>
      {PAGE_GROUPS.map(group => (
        <div key={group.label ?? 'first'}>
          {group.label !== null && <h2>{group.label}</h2>}
          <ul>
            {group.pages.map(page => (
              <PageItem key={page.to} page={page} count={counts[page.to]} needs={page.to === '/'} />
            ))}
          </ul>
        </div>
      ))}
      <div className="navigation-foot">
        <div>
          <LiveDot state={state} />
          <button type="button" className="plain-button" onClick={() => scheme.toggle()}>
            {scheme.now === 'dark' ? 'Light theme' : 'Dark theme'}
          </button>
        </div>
        <div>
          <button type="button" className="plain-button" onClick={onPalette}>
            Go to… <kbd>⌘K</kbd>
          </button>
          <button type="button" className="plain-button" onClick={onKeys}>
            Keys <kbd>?</kbd>
          </button>
        </div>
        <Person />
      </div>
    </nav>
  );
}
