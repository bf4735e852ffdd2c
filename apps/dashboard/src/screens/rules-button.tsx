/** Opens the rules of a repository. */
import { type JSX, lazy, Suspense, useState } from 'react';
import type { RepositoryRow } from '../api/resources.ts';
import { Button } from '../ui/index.ts';

const RulesDialog = lazy(async () => ({ default: (await import('./rules-dialog.tsx')).RulesDialog }));

export function RulesButton({ repository }: { readonly repository: RepositoryRow }): JSX.Element {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>Rules…</Button>
      <Suspense>{opened && <RulesDialog repository={repository} onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}
