import type { TestContext } from 'node:test';
import type { CreateGroup } from '#contract/groups.ts';
import type { GroupActor } from '#features/groups/index.ts';
import type { Config } from '#platform/config.ts';
import { type Answer, denied, missing, plain } from './answers.ts';
import { type Bot, createWorldFor, type Person } from './world.ts';

/** A response, as tests compare it. */
export type Plain = Pick<Answer, 'status' | 'body'>;

export type GroupScene = Awaited<ReturnType<typeof groupScene>>;

/** A bot, and people who wrote to it and may therefore be added to its groups. */
export async function groupScene(
  t: TestContext,
  { people: count = 3, config = {} }: { people?: number; config?: Partial<Config> } = {},
) {
  const world = await createWorldFor(t, config);
  const bot = await world.bot({ requestsPerMinute: 1_000_000 });
  const people: Person[] = [];
  for (let i = 0; i < count; i++) people.push(await world.person(`Person ${i}`));
  for (const person of people) await person.writes(bot, 'hi');
  const make = async (actor: GroupActor, members: { accountId: string }[], options: Partial<CreateGroup>) => {
    const sent = { name: 'Team', members: members.map(({ accountId }) => accountId), ...options };
    const { groupId } = await world.groups.create(actor, sent, {
      id: world.newId('grp'),
      isResumed: false,
    });
    return groupId;
  };
  return {
    world,
    bot,
    people,
    /** The bot calls the public API. */
    async call(...asked: Parameters<Bot['calls']>): Promise<Plain> {
      return plain(await bot.calls(...asked));
    },
    /** A group of the bot with these members. */
    group: (members: Person[] = [], options: Partial<CreateGroup> = {}) =>
      make({ kind: 'bot', accountId: bot.accountId }, members, options),
    /** A group created by a person, as through OAuth or the chat. */
    groupOf: (creator: Person, members: { accountId: string }[] = [], options: Partial<CreateGroup> = {}) =>
      make(asUser(creator), members, options),
    /** The members in the database: `admin` or `member` by account. */
    async roles(groupId: string): Promise<Record<string, 'admin' | 'member'>> {
      const rows = await world.db<{ accountId: string; isAdmin: boolean }[]>`
        select account_id, is_admin from members where group_id = ${groupId}`;
      return Object.fromEntries(rows.map((row) => [row.accountId, row.isAdmin ? 'admin' : 'member']));
    },
  };
}

/** A person as an actor of the services. */
export function asUser({ accountId }: { accountId: string }): GroupActor {
  return { kind: 'user', accountId };
}

export const NO_GROUP = missing('no group has the id in `groupId`');
export const OUTSIDER = denied('you are not a member of this group');
export const NO_ADMIN = denied('only an administrator of this group may do this');
