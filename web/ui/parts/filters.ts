import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

/** The filters of a list, which are in the URL, so that a link shows the same; and how one is chosen, or ended by nothing. */
export function useFilters() {
  const [query, setQuery] = useSearchParams();
  // The router does not queue changes: a second one before the first is rendered would undo it.
  const latest = useRef(query);
  useEffect(() => {
    latest.current = query;
  }, [query]);
  const choose = (name: string, value: string | null) => {
    const after = new URLSearchParams(latest.current);
    if (value) after.set(name, value);
    else after.delete(name);
    latest.current = after;
    setQuery(after, { replace: true });
  };
  return [query, choose] as const;
}
