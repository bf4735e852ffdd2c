/** The frame of every page: navigation with what needs a person, the live dot, keys, the palette, and the panel of whys. */
import { Outlet } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { KeysDialog } from './keys-dialog.tsx';
import { Navigation } from './navigation-list.tsx';
import { PAGES } from './navigation.ts';
import { SearchPalette } from './search-palette.tsx';
import { useGoTo } from './use-go-to.ts';
import { useKeys } from './use-keys.ts';
import { usePaletteKey } from './use-palette-key.ts';
import { WhyPanel } from './why-panel.tsx';

type Open = 'keys' | 'palette' | null;

export function Shell(): JSX.Element {
  const [open, setOpen] = useState<Open>(null);
  const goTo = useGoTo();
  const close = (): void => setOpen(null);
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
      <KeysDialog opened={open === 'keys'} onClose={close} />
      {open === 'palette' && <SearchPalette onClose={close} />}
      <WhyPanel />
    </div>
  );
}
