/** An address that leads nowhere. */
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Page } from '../marks/page.tsx';

export function NotFound(): JSX.Element {
  return (
    <Page title="Not found" sentence="There is no page at this address.">
      <Link to="/">Go to the inbox</Link>
    </Page>
  );
}
