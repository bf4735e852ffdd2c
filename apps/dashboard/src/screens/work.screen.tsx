/** Says that it is not there yet. */
import type { JSX } from 'react';
import { Page } from '../marks/page.tsx';

export function Screen(): JSX.Element {
  return (
    <Page
      title="Work"
      sentence="Changes that Weir makes itself, from an issue to a merge, are not available in this version: nothing is dispatched, and nothing waits here."
    />
  );
}
