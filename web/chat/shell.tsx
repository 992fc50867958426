import { RequireSession } from '../ui/session/require-session.tsx';
import { Frame } from './frame/frame.tsx';

/** What surrounds every screen of the chat. */
export function Shell() {
  return (
    <RequireSession>
      <Frame />
    </RequireSession>
  );
}
