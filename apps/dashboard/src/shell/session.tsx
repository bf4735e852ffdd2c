/** Who looks at the pages. Without a session nothing is read and the way to sign in is shown. */
import { useQuery } from '@tanstack/react-query';
import { createContext, type JSX, type ReactNode, useContext } from 'react';
import type { Principal, Session } from '../api/resources.ts';
import { read } from '../api/use-read.ts';
import { Failure } from '../marks/states.tsx';
import { SignIn } from './sign-in.tsx';

const PrincipalContext = createContext<Principal | null>(null);

export function useSession(): Principal {
  const principal = useContext(PrincipalContext);
  if (principal === null) throw new Error('The page stands outside of SessionProvider.');
  return principal;
}

/** Writes and configuration are an administrator's; the server refuses others whatever the page shows. */
export const useIsAdmin = (): boolean => useSession().role === 'admin';

export function SessionProvider({ children }: { readonly children: ReactNode }): JSX.Element | null {
  const session = useQuery(read<Session>('/session'));
  if (session.data === undefined) return session.isError ? <Failure error={session.error} onRetry={() => void session.refetch()} /> : null;
  const { principal } = session.data;
  return principal === null ? <SignIn session={session.data} /> : <PrincipalContext value={principal}>{children}</PrincipalContext>;
}
