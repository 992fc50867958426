import { useEffect } from 'react';
import { useNavigate } from 'react-router';

/** Starts the service worker (worker/service-worker.js), and goes where a click on a notification leads. */
export function useServiceWorker(): void {
  const navigate = useNavigate();
  useEffect(() => {
    // There is none over plain http but on localhost, and none is built for `vite dev`.
    if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
    // Without it the chat still works, only not without a network.
    navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
    const hear = ({ data }: MessageEvent) => {
      if (data?.type === 'open') navigate(data.path);
    };
    navigator.serviceWorker.addEventListener('message', hear);
    return () => navigator.serviceWorker.removeEventListener('message', hear);
  }, [navigate]);
}
