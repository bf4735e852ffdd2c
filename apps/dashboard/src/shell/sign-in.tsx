/** What a person without a session sees: how to get one, and nothing of what is kept. */
import { type JSX, useEffect } from 'react';
import type { Session } from '../api/resources.ts';

export function SignIn({ session }: { readonly session: Session }): JSX.Element {
  useEffect(() => {
    document.title = 'Sign in · Weir';
  }, []);
  return (
    <main className="sign-in" id="page">
      <div className="card state">
        <h1 className="sign-in-title">◈ weir</h1>
        {session.signIn === null ? (
          <>
            <p>You are not signed in. This deployment has one local administrator, who signs in by a link that works once.</p>
            <p>The server prints it when it starts. For another one, on the machine of the server:</p>
            <pre className="code">weir login-link</pre>
          </>
        ) : (
          <>
            <p>You are not signed in. Your organisation's identity provider says who you are.</p>
            <p>
              <a className="main-link" href={session.signIn}>
                Sign in
              </a>
            </p>
          </>
        )}
      </div>
    </main>
  );
}
