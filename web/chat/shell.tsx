import { RequireSession } from '../ui/session/require-session.tsx';
import { Frame } from './frame/frame.tsx';
import { useServiceWorker } from './notifications/use-service-worker.ts';

/** What surrounds every screen of the chat. */
export function Shell() {
  useServiceWorker();
  return (
    <RequireSession>
      <Frame />
    </RequireSession>
  );
}
