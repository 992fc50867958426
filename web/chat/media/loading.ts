import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { chatQuery } from '../../ui/parts/query.ts';
import { useAccount } from '../../ui/session/session.ts';
import { Watchers } from '../../ui/watchers.ts';
import { chatKey } from '../live/feed.ts';
import { isRemote, mayLoad } from './remote-rule.ts';

/** Loaded when the first remote media is to be shown; frame/follow.ts reloads it. */
export const remoteMediaQuery = {
  ...chatQuery([...chatKey, 'remote-media'], 'GET /remote-media'),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Media that the person loaded stay visible until the page is closed. */
const askedFor = new Set<string>();
const watchers = new Watchers();

export function askFor(url: string): void {
  askedFor.add(url);
  watchers.tell();
}

/**
 * Whether media load now or on a click; `unsure` until the rule is known.
 *
 * @param from who sent them, or set them
 */
export function useLoading(url: string | undefined, from: string | undefined): 'now' | 'on-click' | 'unsure' {
  const { accountId } = useAccount();
  const isAskedFor = useSyncExternalStore(watchers.subscribe, () => url !== undefined && askedFor.has(url));
  const isFree = url === undefined || isAskedFor || !isRemote(url, location.origin);
  const { data: rule, isError } = useQuery({ ...remoteMediaQuery, enabled: !isFree });
  if (isFree) return 'now';
  if (!rule) return isError ? 'on-click' : 'unsure';
  return mayLoad(rule, { from, ownId: accountId }) ? 'now' : 'on-click';
}

/** Whether the person's own message makes its recipient a contact, whose media then load automatically. */
export function makesContact(
  client: QueryClient,
  { conversationId }: ChatMessage,
  peerId: string | undefined,
): boolean {
  const rule = client.getQueryData(remoteMediaQuery.queryKey);
  if (rule?.load !== 'contacts' || !conversationId.startsWith('prv_')) return false;
  return peerId === undefined || !rule.contactIds.includes(peerId);
}
