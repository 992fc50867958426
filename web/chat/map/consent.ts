import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { chatQuery } from '../../ui/parts/query.ts';
import { Watchers } from '../../ui/watchers.ts';

const mapQuery = { ...chatQuery(['map'], 'GET /map'), staleTime: Number.POSITIVE_INFINITY };

/** The tile host that this browser's user agreed to; another host needs new consent. */
const NAME = 'parley-map-host';
const watchers = new Watchers();

export function agreeToMap(host: string | undefined): void {
  if (host === undefined) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, host);
  watchers.tell();
}

/** The tile server, and whether the person agreed to it; undefined if there is none, or while that is unknown. */
export function useMap() {
  const { tiles } = useQuery(mapQuery).data ?? {};
  const agreed = useSyncExternalStore(watchers.subscribe, () => localStorage.getItem(NAME));
  if (!tiles) return undefined;
  const host = URL.parse(tiles.url)?.host ?? '';
  return { ...tiles, host, isAgreed: agreed === host };
}
