import { useRef } from 'react';

/** Gives the same idempotency key for the same body: what is sent once more after a failure is made only once. */
export function useDraftKey(): (body: object) => string {
  const last = useRef({ text: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.current.text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
