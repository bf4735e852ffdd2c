/** Who is signed in, in which role, and signing out. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { newKey, writeApi } from '../api/call-api.ts';
import { useSession } from './session.tsx';

export function Person(): JSX.Element {
  const { name, role } = useSession();
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => writeApi<null>({ method: 'DELETE', path: '/session', key: newKey() }),
    onSuccess: async () => {
      await client.refetchQueries({ queryKey: ['session'] });
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    },
  });
  return (
    <div>
      <span className="person" title={`${name}, ${role}`}>
        {name} · {role}
      </span>
      <button type="button" className="plain-button" onClick={() => signOut.mutate()}>
        {signOut.isError ? 'Sign out: try again' : 'Sign out'}
      </button>
    </div>
  );
}
