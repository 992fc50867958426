import { useRef } from 'react';

/** Returns the same idempotency key for the same body: a retry after a failure creates nothing twice. */
export function useDraftKey(): (body: object) => string {
  const last = useRef({ text: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.current.text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
