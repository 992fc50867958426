import { useEffect } from 'react';
import { useNavigate } from 'react-router';

/** Registers the service worker (worker/service-worker.js), and opens the target of a clicked notification. */
export function useServiceWorker(): void {
  const navigate = useNavigate();
  useEffect(() => {
    // It requires https or localhost, and `vite dev` does not build it.
    if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
    // Without it the chat still works, but not offline.
    navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
    const onMessage = ({ data }: MessageEvent) => {
      if (data?.type === 'open') navigate(data.path);
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, [navigate]);
}
