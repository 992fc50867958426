import { useLocation } from 'react-router';
import { RequireSession } from '../ui/session/require-session.tsx';
import { SignInPage } from '../ui/session/sign-in-page.tsx';
import { Frame } from './frame/frame.tsx';
import { InvitedBy } from './invite/invited-by.tsx';
import { useServiceWorker } from './notifications/use-service-worker.ts';

/** The frame of every screen of the chat. */
export function Shell() {
  useServiceWorker();
  // People who follow an invite link are most likely new here.
  const { pathname } = useLocation();
  const [, token] = /^\/i\/([^/]+)/.exec(pathname) ?? [];
  // Also when signed in: the new password ends this session.
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
