import { setTimeout as pause } from 'node:timers/promises';
import type { Groups } from '#features/groups/index.ts';
import { isGap, type LiveEvent } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';

/** The wait before the groups are read again if the database does not answer. */
const READ_AGAIN_MS = 1_000;

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
  let isEnded = false;
  // Events that arrive while the groups are read are kept, so that an older list does not undo a departure.
  let early: LiveEvent[] | undefined;

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
  const readGroups = async () => {
    early ??= [];
    const found = new Set((await groups.findOf(accountId)).map(({ groupId }) => groupId));
    if (isEnded) return;
    for (const groupId of joined.keys()) if (!found.has(groupId)) leave(groupId);
    for (const groupId of found) join(groupId);
    for (const event of early) follow(event);
    early = undefined;
    await live.settled();
  };
  // A page reloads once it gets the events of the groups that the person has joined meanwhile.
  const catchUp = async (event: LiveEvent) => {
    while (!isEnded) {
      try {
        await readGroups();
        return listener(event);
      } catch {
        await pause(READ_AGAIN_MS);
      }
    }
  };
  const unsubscribe = live.subscribe(accountId, (event) => {
    if (early) early.push(event);
    else follow(event);
    if (isGap(event)) reading = reading.then(() => catchUp(event), ignore);
    else listener(event);
  });
  const unfollow = () => {
    isEnded = true;
    unsubscribe();
    for (const end of joined.values()) end();
  };
  let reading = readGroups();
  try {
    await reading;
  } catch (error) {
    unfollow();
    throw error;
  }
  return unfollow;
}

/** The caller gets the error. */
function ignore(): void {}
