import { useLocation, useNavigate, useParams } from 'react-router';

/** Returns from the details to the thread, as "back" does, without leaving the details in the history. */
export function useClose(): () => void {
  const { conversationId } = useParams();
  const { key, search } = useLocation();
  const navigate = useNavigate();
  // Only the thread links to the details; after opening them by URL there is no thread to go back to.
  return () =>
    key === 'default' ? navigate(`/c/${conversationId}${search}`, { replace: true }) : navigate(-1);
}
