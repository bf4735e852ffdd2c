/**
 * The kit's frame. Its style elements are off, since the server's content security policy refuses them: variables come from
 * `styles/kit.css`, and overlays do not lock the page's scroll, which would write one too.
 */
import { createTheme, MantineProvider } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

const THEME = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  respectReducedMotion: true,
  defaultRadius: 5,
  focusRing: 'auto',
});

export function KitProvider({ children }: { readonly children: ReactNode }): JSX.Element {
  return (
    <MantineProvider theme={THEME} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  );
}
