import { useLocation, useNavigate, useParams } from 'react-router';

/** Leads from the details to their thread, as "back" does: the details do not stand behind it. */
export function useClose(): () => void {
  const { conversationId } = useParams();
  const { key, search } = useLocation();
  const navigate = useNavigate();
  // Only the thread links to them; who came by their address has no thread behind.
  return () =>
    key === 'default' ? navigate(`/c/${conversationId}${search}`, { replace: true }) : navigate(-1);
}
