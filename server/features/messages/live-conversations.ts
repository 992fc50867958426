import { findGroupsOf } from '#features/groups/service.ts';
import { type LiveEvent, MISSED } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * Hears what happens to a person and in the person's groups. A group has one topic for all who are in it; joins and
 * departures, which are told on the person's own topic, begin and end the listening at once.
 *
 * @returns the function that ends it
 */
export async function followConversations(
  { db, live }: Pick<Platform, 'db' | 'live'>,
  accountId: string,
  heard: (event: LiveEvent) => void,
): Promise<() => void> {
  const groups = new Map<string, () => void>();
  // What is told while the groups are read is kept, so that an older list does not undo a departure.
  let early: LiveEvent[] | undefined = [];

  const leave = (groupId: string) => {
    groups.get(groupId)?.();
    groups.delete(groupId);
  };
  const hearGroup = (event: LiveEvent) => {
    // Said of every topic; hearing it on the own one is enough.
    if (event === MISSED) return;
    heard(event);
    if (event.type === 'group.deleted') leave(groupOf(event));
  };
  const join = (groupId: string) => {
    if (!groups.has(groupId)) groups.set(groupId, live.subscribe(groupId, hearGroup));
  };
  const follow = (event: LiveEvent) => {
    if (event.type === 'group.joined') join(groupOf(event));
    if (event.type === 'group.left') leave(groupOf(event));
  };
  const unsubscribe = live.subscribe(accountId, (event) => {
    if (early) early.push(event);
    else follow(event);
    heard(event);
  });
  const unfollow = () => {
    unsubscribe();
    for (const end of groups.values()) end();
  };
  try {
    for (const { groupId } of await findGroupsOf(db, accountId)) join(groupId);
    await live.settled();
  } catch (error) {
    unfollow();
    throw error;
  }
  for (const event of early) follow(event);
  early = undefined;
  return unfollow;
}

function groupOf({ data }: LiveEvent): string {
  return (data as { groupId: string }).groupId;
}
