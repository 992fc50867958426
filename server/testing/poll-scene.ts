import type { TestContext } from 'node:test';
import type { Poll } from '#contract/polls.ts';
import { createActingApp } from './acting-app.ts';
import { createWorldFor } from './world.ts';

/** An account of the world. */
interface Somebody {
  accountId: string;
}

interface GroupOptions {
  creator?: Somebody & { kind: 'bot' | 'user' };
  isBroadcast?: boolean;
  sendMessages?: boolean;
}

/** A bot that may create polls, a person who wrote to it, and OAuth users named by the test. */
export async function pollScene(t: TestContext) {
  const world = await createWorldFor(t);
  const users = await createActingApp(world, world.routes);
  t.after(() => users[Symbol.asyncDispose]());
  const person = await world.person();
  const pollingBot = async (webhookUrl?: string) => {
    const bot = await world.bot({ requestsPerMinute: 100_000, ...(webhookUrl && { webhookUrl }) });
    await world.db`update api_keys set scopes = scopes || '{polls:write}' where app_id = ${bot.appId}`;
    return bot;
  };
  const bot = await pollingBot();
  await person.writes(bot, 'hi');
  return {
    world,
    person,
    bot,
    users,
    pollingBot,
    /** A group, by default the bot's. */
    async group(
      members: Somebody[],
      { creator = { kind: 'bot', accountId: bot.accountId }, ...options }: GroupOptions = {},
    ) {
      const { groupId } = await world.groups.create(
        creator,
        { name: 'Friends', members: members.map(({ accountId }) => accountId), ...options },
        { id: world.newId('grp'), isResumed: false },
      );
      return groupId;
    },
    /** Creates a poll as the bot. */
    async creates(body: object): Promise<{ msgId: string; poll: Poll }> {
      return bot.gets('POST', '/v1/polls', { ...QUESTION, ...body });
    },
    /** Calls the API as an application on behalf of this person. */
    acts: ({ accountId }: Somebody, url: string, body: object) =>
      users.calls({ kind: 'user', accountId }, 'POST', url, body),
  };
}

/** A poll whose content does not matter. */
export const QUESTION = { question: 'Tea or coffee?', options: ['Tea', 'Coffee', 'Water'] };
