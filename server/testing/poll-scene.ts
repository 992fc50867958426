import type { TestContext } from 'node:test';
import type { Poll } from '#contract/polls.ts';
import { type ActingApp, createActingApp } from './acting-app.ts';
import type { Answer } from './answers.ts';
import { type Bot, createWorldFor, type Person, type World } from './world.ts';

/** An account of the world. */
interface Somebody {
  accountId: string;
}

/** A bot that may create polls, a person who wrote to it, and OAuth users named by the test. */
export interface PollScene {
  world: World;
  person: Person;
  bot: Bot;
  users: ActingApp;
  pollingBot(webhookUrl?: string): Promise<Bot>;
  /** A group, by default the bot's. */
  group(members: Somebody[], options?: GroupOptions): Promise<string>;
  /** Creates a poll as the bot. */
  creates(body: object): Promise<{ msgId: string; poll: Poll }>;
  /** Calls the API as an application on behalf of this person. */
  acts(user: Somebody, url: string, body: object): Promise<Answer>;
}

interface GroupOptions {
  creator?: Somebody & { kind: 'bot' | 'user' };
  isBroadcast?: boolean;
  sendMessages?: boolean;
}

export async function pollScene(t: TestContext): Promise<PollScene> {
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
    async group(members, { creator = { kind: 'bot' as const, accountId: bot.accountId }, ...options } = {}) {
      const { groupId } = await world.groups.create(
        creator,
        { name: 'Friends', members: members.map(({ accountId }) => accountId), ...options },
        { id: world.newId('grp'), isResumed: false },
      );
      return groupId;
    },
    async creates(body) {
      const { status, body: answer } = await bot.calls('POST', '/v1/polls', { ...QUESTION, ...body });
      if (status !== 201) throw new Error(`the poll was not created: ${JSON.stringify(answer)}`);
      return answer.data;
    },
    acts: ({ accountId }, url, body) => users.calls({ kind: 'user', accountId }, 'POST', url, body),
  };
}

/** A poll whose content does not matter. */
export const QUESTION = { question: 'Tea or coffee?', options: ['Tea', 'Coffee', 'Water'] };
