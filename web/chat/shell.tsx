import { useLocation } from 'react-router';
import { RequireSession } from '../ui/session/require-session.tsx';
import { Frame } from './frame/frame.tsx';
import { useServiceWorker } from './notifications/use-service-worker.ts';

/** The frame of every screen of the chat. */
export function Shell() {
  useServiceWorker();
  // Whoever follows an invite link is most likely new here.
  const isInvited = useLocation().pathname.startsWith('/i/');
  return (
    <RequireSession first={isInvited ? 'sign-up' : 'sign-in'}>
      <Frame />
    </RequireSession>
  );
}
