import type { Groups } from '#features/groups/index.ts';
import type { LiveEvent } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * Subscribes to what happens to a person and in the person's groups. A group has one topic for all its members;
 * joining and leaving, which are published to the person's own topic, start and end its subscription at once.
 *
 * @returns the function that ends it
 */
export async function followConversations(
  { live, groups }: Platform & { groups: Groups },
  accountId: string,
  listener: (event: LiveEvent) => void,
): Promise<() => void> {
  const joined = new Map<string, () => void>();
  // Events that arrive while the groups are read are kept, so that an older list does not undo a departure.
  let early: LiveEvent[] | undefined = [];

  const leave = (groupId: string) => {
    joined.get(groupId)?.();
    joined.delete(groupId);
  };
  const onGroupEvent = (event: LiveEvent) => {
    // Published to every topic; the person's own topic passes it on.
    if (event.type === 'missed') return;
    listener(event);
    if (event.type === 'group.deleted') leave(event.data.groupId);
  };
  const join = (groupId: string) => {
    if (!joined.has(groupId)) joined.set(groupId, live.subscribe(groupId, onGroupEvent));
  };
  const follow = (event: LiveEvent) => {
    if (event.type === 'group.joined') join(event.data.groupId);
    if (event.type === 'group.left') leave(event.data.groupId);
  };
  const unsubscribe = live.subscribe(accountId, (event) => {
    if (early) early.push(event);
    else follow(event);
    listener(event);
  });
  const unfollow = () => {
    unsubscribe();
    for (const end of joined.values()) end();
  };
  try {
    for (const { groupId } of await groups.findOf(accountId)) join(groupId);
    await live.settled();
  } catch (error) {
    unfollow();
    throw error;
  }
  for (const event of early) follow(event);
  early = undefined;
  return unfollow;
}
