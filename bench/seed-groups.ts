import type { Database } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type SeededBot, seedBots } from './seed.ts';

const ROWS_PER_STATEMENT = 5000;

/** A group for each bot, which administers it. */
export interface SeededGroup {
  groupId: string;
  writer: SeededBot;
}

export interface GroupShape {
  people: number;
  /** Besides the writer; each gets an event of every message. */
  memberBots: number;
  /** They fetch their events, and have no webhook. */
  isFetching?: boolean;
}

export async function seedGroups(
  db: Database,
  newId: Platform['newId'],
  writers: SeededBot[],
  { people, memberBots, isFetching = false }: GroupShape,
): Promise<SeededGroup[]> {
  const now = Date.now();
  const hearers = memberBots === 0 ? [] : await seedBots(db, newId, memberBots);
  if (hearers.length > 0 && !isFetching) {
    const appIds = hearers.map(({ appId }) => appId);
    // Nothing is sent: that there is one makes events.
    await db`
      update applications set sealed_webhook_url = 'none', sealed_webhook_url_key_id = 1 where app_id = any(${appIds})`;
  }
  const groups = writers.map((writer) => ({ groupId: newId('grp'), writer }));
  for (const { groupId, writer } of groups) {
    const bucket = bucketOf(groupId);
    const persons = Array.from({ length: people }, () => ({
      accountId: newId('usr'),
      botAppId: null as string | null,
    }));
    const bots = [writer, ...hearers].map(({ accountId, appId }) => ({ accountId, botAppId: appId }));
    const members = [...bots, ...persons].map((member) => ({
      bucket,
      groupId,
      ...member,
      isAdmin: member.accountId === writer.accountId,
      joinedAt: now,
    }));
    await db.begin(async (tx) => {
      await tx`insert into groups ${tx([
        {
          bucket,
          groupId,
          name: 'Bench',
          description: '',
          isBroadcast: false,
          sendMessages: true,
          editInfoOnlyAdmin: true,
          creatorId: writer.accountId,
          memberCount: members.length,
          createdAt: now,
        },
      ])}`;
      for (let from = 0; from < members.length; from += ROWS_PER_STATEMENT) {
        await tx`insert into members ${tx(members.slice(from, from + ROWS_PER_STATEMENT))}`;
      }
    });
  }
  return groups;
}
