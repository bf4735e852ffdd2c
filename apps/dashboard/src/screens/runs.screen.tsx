/** Says that it is not there yet. */
import type { JSX } from 'react';
import { Page } from '../marks/page.tsx';

export function Screen(): JSX.Element {
  return <Page title="Runs" sentence="Runs of coding agents are not available in this version: no agent is started, and nothing is executed here." />;
}
