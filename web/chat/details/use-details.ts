import { useLocation, useMatch, useNavigate, useParams } from 'react-router';
import { isOverlayOpen } from '../../ui/parts/use-back-closes.ts';

/** Whether the details cover the thread instead of standing beside it. */
export function coverThread(): boolean {
  const details = document.getElementById('details-body')?.parentElement;
  return details != null && getComputedStyle(details).position === 'absolute';
}

/** The details of the open conversation: whether they are shown, their path, and how to leave them. */
export function useDetails() {
  const { conversationId } = useParams();
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const thread = `/c/${conversationId}`;
  const isOpen = useMatch('/c/:conversationId/info/*') !== null;
  /** How many steps "back" leads to the thread; none if the details were opened by their URL. */
  const steps: number = state?.steps ?? 0;
  return {
    isOpen,
    path: `${thread}/info${search}`,
    /** For links to and within the details: they leave no trace in the history once the details are closed. */
    state: { steps: isOpen && steps === 0 ? 0 : steps + 1 },
    /** Returns from what was shared to the details. */
    back() {
      if (steps > 1) navigate(-1);
      else navigate(`${thread}/info${search}`, { replace: true });
    },
    /** Returns to the thread, as "back" does. */
    close() {
      if (isOverlayOpen()) return;
      if (steps === 0) navigate(thread + search, { replace: true });
      else navigate(-steps);
    },
  };
}
