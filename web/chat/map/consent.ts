import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { callChat } from '../../ui/api.ts';

const mapQuery = queryOptions({
  queryKey: ['map'],
  queryFn: ({ signal }) => callChat('GET /map', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The tile host that this browser's user agreed to; another host needs new consent. */
const NAME = 'parley-map-host';
const watchers = new Set<() => void>();

export function agreeToMap(host: string | undefined): void {
  if (host === undefined) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, host);
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The tile server, and whether the person agreed to it; undefined if there is none, or while that is unknown. */
export function useMap() {
  const { tiles } = useQuery(mapQuery).data ?? {};
  const agreed = useSyncExternalStore(watch, () => localStorage.getItem(NAME));
  if (!tiles) return undefined;
  const host = URL.parse(tiles.url)?.host ?? '';
  return { ...tiles, host, isAgreed: agreed === host };
}
