import { useLocation } from 'react-router';
import { RequireSession } from '../ui/session/require-session.tsx';
import { SignInPage } from '../ui/session/sign-in-page.tsx';
import { Frame } from './frame/frame.tsx';
import { InvitedBy } from './invite/invited-by.tsx';
import { useServiceWorker } from './notifications/use-service-worker.ts';

/** The frame of every screen of the chat. */
export function Shell() {
  useServiceWorker();
  // Whoever follows an invite link is most likely new here.
  const { pathname } = useLocation();
  const [, token] = /^\/i\/([^/]+)/.exec(pathname) ?? [];
  // Also for whoever is signed in here: the new password ends that session.
  if (pathname === '/reset') return <SignInPage />;
  return (
    <RequireSession
      first={token ? 'sign-up' : 'sign-in'}
      {...(token && { welcome: <InvitedBy token={token} /> })}
    >
      <Frame />
    </RequireSession>
  );
}
