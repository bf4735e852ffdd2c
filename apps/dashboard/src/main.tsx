/** The dashboard's start: what is read, the kit, who looks, the feed, and the pages. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/styles/index.css';
import { ApiProblem } from './api/api-problem.ts';
import { router } from './router.tsx';
import { LiveProvider } from './shell/live.tsx';
import { SessionProvider } from './shell/session.tsx';
import { KitProvider } from './ui/index.ts';

const MAX_REPEATS = 2;

/** A refusal stays one; a server that was not reached, or that failed, is asked again. */
const isPassing = (error: unknown): boolean => error instanceof ApiProblem && (error.status === 0 || error.status >= 500);

/** What a session that ended answers: who looks is asked again, and the way to sign in is shown. */
const onUnauthorized = (error: unknown): void => {
  if (error instanceof ApiProblem && error.status === 401) void client.invalidateQueries({ queryKey: ['session'] });
};

const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: (count, error) => count < MAX_REPEATS && isPassing(error) } },
});
client.getQueryCache().config.onError = onUnauthorized;

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <KitProvider>
        <SessionProvider>
          <LiveProvider>
            <RouterProvider router={router} />
          </LiveProvider>
        </SessionProvider>
      </KitProvider>
    </QueryClientProvider>
  </StrictMode>,
);
