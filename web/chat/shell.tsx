import { Outlet } from 'react-router';
import { RequireSession } from '../ui/session/require-session.tsx';

/** What surrounds every screen of the chat. */
export function Shell() {
  return (
    <RequireSession>
      <Outlet />
    </RequireSession>
  );
}
