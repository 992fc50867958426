import type { TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { Extension } from '#contract/applications.ts';
import type { ChatMessage } from '#contract/chat.ts';
import type { CreateGroup } from '#contract/groups.ts';
import type { GrantedScope, Scope } from '#contract/scopes.ts';
import { createSessionCookie, startSession } from '#features/accounts/sessions/session.ts';
import { storeWebhookUrl } from '#features/applications/addresses.ts';
import { createApplication } from '#features/applications/create.ts';
import { findLiveKeys, updateKey } from '#features/applications/credentials/key-queries.ts';
import { suspendApplication, unsuspendApplication } from '#features/applications/life-cycle.ts';
import { updateWebhookUrl } from '#features/applications/queries.ts';
import { lockAnyApplication } from '#features/applications/service.ts';
import type { Config } from '#platform/config.ts';
import type { App } from '#platform/http/app.ts';
import { privateConversationId } from '#platform/ids.ts';
import { composeFeatures, createHttp, type Features } from '../app.ts';
import type { Answer } from './answers.ts';
import { readAnswer } from './answers.ts';
import { OAuthClient } from './oauth-client.ts';
import { createTestPlatform, type TestPlatform, type TestPlatformOptions } from './platform.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface BotOptions {
  name?: string;
  username?: string;
  owner?: Person;
  requestsPerMinute?: number;
  webhookUrl?: string;
}

/** The whole server on its own database, with people and bots. */
export interface World extends AsyncDisposable, Omit<TestPlatform & Features, typeof Symbol.asyncDispose> {
  app: App;
  person(name?: string): Promise<Person>;
  people<Names extends readonly string[]>(...names: Names): Promise<{ [Name in keyof Names]: Person }>;
  bot(options?: BotOptions): Promise<Bot>;
  /** An application with a redirect URI, as its server sees it. */
  client(options?: { name?: string }): Promise<OAuthClient<Person>>;
  /** An access token with these scopes, for a new person and application unless they are given. */
  token(options: { scopes: readonly GrantedScope[]; person?: Person; client?: OAuthClient }): Promise<string>;
  /** Switches extensions of an application on, or off. */
  switches(
    application: { appId: string; owner: { accountId: string } },
    extensions: Extension | readonly Extension[],
    isOn?: boolean,
  ): Promise<void>;
  suspends(application: { appId: string }): Promise<void>;
  unsuspends(application: { appId: string }): Promise<void>;
}

export async function createWorld(
  config: Partial<Config> = {},
  options: TestPlatformOptions = {},
): Promise<World> {
  const platform = await createTestPlatform(config, options);
  const features = composeFeatures(platform);
  const app = await createHttp(platform, features);
  let bots = 0;
  const world: World = {
    ...platform,
    ...features,
    app,
    person: (name = 'Ada') => createPerson(world, name),
    async people(...names) {
      const people: Person[] = [];
      for (const name of names) people.push(await world.person(name));
      return people as { [Name in keyof typeof names]: Person };
    },
    async bot({ name = 'Helper', owner, username, requestsPerMinute, webhookUrl } = {}) {
      const person = owner ?? (await world.person('Owner'));
      const { appId, key, webhookSecret } = await person.creates(name);
      const own = { ownerId: person.accountId, appId };
      const chosen = username ?? `helper${++bots}_bot`;
      const { userId } = await features.bots.create(own, { username: chosen });
      if (requestsPerMinute) {
        await platform.db`update applications set requests_per_minute = ${requestsPerMinute} where app_id = ${appId}`;
      }
      if (webhookUrl)
        await platform.db.begin(async (tx) =>
          updateWebhookUrl(
            tx,
            await lockAnyApplication(tx, appId),
            storeWebhookUrl(platform.keyring, appId, webhookUrl),
          ),
        );
      return new Bot(world, {
        accountId: userId,
        username: chosen,
        owner: person,
        appId,
        key,
        webhookSecret,
      });
    },
    client: (options) => OAuthClient.create(world, options),
    async token({ scopes, person, client }) {
      const granting = { scopes, person: person ?? (await world.person()) };
      return (await (client ?? (await world.client())).tokens(granting)).access;
    },
    async switches({ appId, owner }, extensions, isOn = true) {
      const own = { appId, ownerId: owner.accountId };
      for (const extension of [extensions].flat())
        await features.applications.switchExtension(own, { extension, isOn });
    },
    suspends: ({ appId }) => suspendApplication(platform, appId),
    async unsuspends({ appId }) {
      await unsuspendApplication(platform, appId, []);
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await platform[Symbol.asyncDispose]();
    },
  };
  return world;
}

/** The same, until the test has ended. */
export async function createWorldFor(
  t: TestContext,
  config?: Partial<Config>,
  options?: TestPlatformOptions,
): Promise<World> {
  const world = await createWorld(config, options);
  t.after(() => world[Symbol.asyncDispose]());
  return world;
}

/** A signed-in person. The password is left out: hashing one takes longer than a test. */
async function createPerson(world: World, name: string): Promise<Person> {
  const accountId = world.newId('usr');
  const now = world.clock.now();
  const credential = await world.db.begin(async (tx) => {
    await tx`
      insert into accounts (account_id, is_bot, name, email, created_at)
      values (${accountId}, false, ${name}, ${`${accountId}@example.com`}, ${now})`;
    return startSession(tx, world, { accountId, userAgent: 'test', methods: ['pwd'], now });
  });
  return new Person(world, { accountId, name, cookie: createSessionCookie(world.config).issue(credential) });
}

export interface Application {
  appId: string;
  key: string;
  webhookSecret: string;
}

export class Person {
  readonly accountId: string;
  readonly name: string;
  readonly cookie: string;
  readonly #world: World;

  constructor(
    world: World,
    { accountId, name, cookie }: { accountId: string; name: string; cookie: string },
  ) {
    this.#world = world;
    this.accountId = accountId;
    this.name = name;
    this.cookie = cookie.split(';', 1)[0] as string;
  }

  /** Calls as the person's browser does. */
  async calls(
    method: Method,
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return inject(this.#world.app, {
      method,
      url,
      headers: { cookie: this.cookie, 'sec-fetch-site': 'same-origin', ...headers },
      ...(body && { payload: body }),
    });
  }

  async creates(name: string): Promise<Application> {
    const { appId, apiKey, webhookSecret } = await createApplication(this.#world, this.accountId, name);
    return { appId, key: apiKey, webhookSecret };
  }

  /** Sends text, or content of any type, to a bot or a person. */
  async writes(to: { accountId: string }, content: string | object): Promise<ChatMessage> {
    const sent = typeof content === 'string' ? { type: 'text', content } : content;
    const { status, body } = await this.calls('POST', '/api/chat/messages', { to: to.accountId, ...sent });
    if (status !== 201) throw new Error(`${this.name} could not write: ${JSON.stringify(body)}`);
    return body.data;
  }

  /** The whole conversation with a bot or a person, newest first. */
  async reads(peer: { accountId: string }): Promise<ChatMessage[]> {
    const conversationId = privateConversationId(this.accountId, peer.accountId);
    const messages: ChatMessage[] = [];
    for (let before: string | undefined, isFirst = true; isFirst || before; isFirst = false) {
      const query = before ? `?before=${before}` : '';
      const { body } = await this.calls('GET', `/api/chat/conversations/${conversationId}/messages${query}`);
      messages.push(...body.data.messages);
      before = body.data.nextBefore;
    }
    return messages;
  }

  /** Makes a group with these members, and returns its id. */
  async makesGroup(
    members: readonly { accountId: string }[] = [],
    details: Partial<CreateGroup> = {},
  ): Promise<string> {
    const group = { name: 'Team', members: members.map(({ accountId }) => accountId), ...details };
    return (await this.#succeeds('POST', '/api/chat/groups', group)).body.data.groupId;
  }

  /** Sends text, or content of any type, to a group. */
  async writesIn(groupId: string, content: string | object): Promise<ChatMessage> {
    const sent = typeof content === 'string' ? { type: 'text', content } : content;
    return (await this.#succeeds('POST', '/api/chat/groups/messages', { groupId, ...sent })).body.data;
  }

  /** The latest messages of a conversation, newest first. */
  async readsIn(conversationId: string): Promise<ChatMessage[]> {
    const { body } = await this.#succeeds('GET', `/api/chat/conversations/${conversationId}/messages`);
    return body.data.messages;
  }

  async blocks(peer: { accountId: string }): Promise<void> {
    await this.#succeeds('POST', '/api/chat/blocks', { userId: peer.accountId });
  }

  async unblocks(peer: { accountId: string }): Promise<void> {
    await this.#succeeds('DELETE', '/api/chat/blocks', { userId: peer.accountId });
  }

  async disables({ appId }: { appId: string }): Promise<void> {
    await this.#succeeds('POST', `/api/console/applications/${appId}/disable`);
  }

  async reactivates({ appId }: { appId: string }): Promise<void> {
    await this.#succeeds('POST', `/api/console/applications/${appId}/reactivate`);
  }

  async deletes({ appId }: { appId: string }): Promise<void> {
    await this.#succeeds('DELETE', `/api/console/applications/${appId}`);
  }

  async #succeeds(method: Method, url: string, body?: object): Promise<Answer> {
    const answer = await this.calls(method, url, body);
    if (answer.status >= 300) throw new Error(`${method} ${url} answered ${JSON.stringify(answer.body)}`);
    return answer;
  }
}

export class Bot {
  readonly accountId: string;
  readonly username: string;
  readonly appId: string;
  readonly owner: Person;
  readonly webhookSecret: string;
  key: string;
  readonly #world: World;

  constructor(world: World, bot: Application & { accountId: string; username: string; owner: Person }) {
    this.#world = world;
    this.accountId = bot.accountId;
    this.username = bot.username;
    this.appId = bot.appId;
    this.owner = bot.owner;
    this.key = bot.key;
    this.webhookSecret = bot.webhookSecret;
  }

  /** Calls the public API with the bot's key. */
  async calls(
    method: Method,
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return inject(this.#world.app, {
      method,
      url,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...(body && { payload: body }),
    });
  }

  async regeneratesKey(): Promise<void> {
    const { body } = await this.owner.calls('POST', `/api/console/applications/${this.appId}/api-key`);
    this.key = body.data.apiKey;
  }

  /** Limits its keys to these scopes, also to none. */
  async mayOnly(scopes: readonly Scope[]): Promise<void> {
    await this.#world.db.begin(async (tx) => {
      const application = await lockAnyApplication(tx, this.appId);
      for (const key of await findLiveKeys(tx, this.appId))
        await updateKey(tx, application, { ...key, scopes: [...scopes] });
    });
  }

  /** Deletes its application, and the bot with it. */
  async deleted(): Promise<void> {
    await this.owner.deletes(this);
  }
}

async function inject(app: App, options: InjectOptions): Promise<Answer> {
  return readAnswer(await app.inject(options));
}
