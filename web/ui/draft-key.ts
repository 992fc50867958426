import { useRef } from 'react';
import { uniqueId } from './secure-context.ts';

/** Returns the same idempotency key for the same body: a retry after a failure creates nothing twice. */
export function useDraftKey(): (body: object) => string {
  const last = useRef({ text: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.current.text) last.current = { text, key: uniqueId() };
    return last.current.key;
  };
}
