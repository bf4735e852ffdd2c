/** The frame of every page: navigation with what needs a person, the live dot, keys, the palette, and the panel of whys. */
import { Outlet, useSearch } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useEffect, useState } from 'react';
import { Navigation } from './navigation-list.tsx';
import { PAGES } from './navigation.ts';
import { useGoTo } from './use-go-to.ts';
import { useKeys } from './use-keys.ts';
import { usePaletteKey } from './use-palette-key.ts';

const loadKeys = () => import('./keys-dialog.tsx');
const loadPalette = () => import('./search-palette.tsx');
const loadWhy = () => import('./why-panel.tsx');
const KeysDialog = lazy(async () => ({ default: (await loadKeys()).KeysDialog }));
const SearchPalette = lazy(async () => ({ default: (await loadPalette()).SearchPalette }));
const WhyPanel = lazy(async () => ({ default: (await loadWhy()).WhyPanel }));
/** What lies over a page is no part of its first load; it is fetched once the page stands. */
const FETCH_AFTER_MS = 1_500;

type Open = 'keys' | 'palette' | null;

export function Shell(): JSX.Element {
  const [open, setOpen] = useState<Open>(null);
  const goTo = useGoTo();
  const close = (): void => setOpen(null);
  const { why } = useSearch({ strict: false });
  useEffect(() => {
    const timer = setTimeout(() => void Promise.all([loadPalette(), loadWhy(), loadKeys()]), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  usePaletteKey(() => setOpen('palette'));
  useKeys({
    ...Object.fromEntries(PAGES.map(page => [`g ${page.key}`, () => goTo(page.to)])),
    '?': () => setOpen('keys'),
    '/': () => {
      const search = document.querySelector<HTMLInputElement>('[data-search] input');
      if (search === null) setOpen('palette');
      else search.focus();
    },
  });
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <Navigation onKeys={() => setOpen('keys')} onPalette={() => setOpen('palette')} />
      <Outlet />
      <Suspense>
        {open === 'keys' && <KeysDialog onClose={close} />}
        {open === 'palette' && <SearchPalette onClose={close} />}
        {why !== undefined && <WhyPanel />}
      </Suspense>
    </div>
  );
}
