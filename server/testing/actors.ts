import type { InjectOptions } from 'fastify';
import type { ChatMessage } from '#contract/chat.ts';
import type { CreateGroup } from '#contract/groups.ts';
import type { Scope } from '#contract/scopes.ts';
import { createSessionCookie, startSession } from '#features/accounts/sessions/session.ts';
import { createApplication } from '#features/applications/create.ts';
import { findLiveKeys, updateKey } from '#features/applications/credentials/key-queries.ts';
import { lockAnyApplication } from '#features/applications/service.ts';
import type { App } from '#platform/http/app.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { Features } from '../app.ts';
import { type Answer, dataOf, readAnswer } from './answers.ts';
import type { TestPlatform } from './platform.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The server that they use. */
type Server = TestPlatform & Pick<Features, 'accounts'> & { app: App };

export interface Application {
  appId: string;
  key: string;
  webhookSecret: string;
}

export class Person {
  readonly accountId: string;
  readonly name: string;
  readonly cookie: string;
  readonly #world: Server;

  constructor(
    world: Server,
    { accountId, name, cookie }: { accountId: string; name: string; cookie: string },
  ) {
    this.#world = world;
    this.accountId = accountId;
    this.name = name;
    this.cookie = cookie.split(';', 1)[0] as string;
  }

  /** Whoever has this account, in a new session. */
  static async signIn(world: Server, { accountId, name = 'Ada' }: { accountId: string; name?: string }) {
    const session = { accountId, userAgent: 'test', methods: ['pwd' as const], now: world.clock.now() };
    const credential = await world.db.begin((tx) => startSession(tx, world, session));
    return new Person(world, {
      accountId,
      name,
      cookie: createSessionCookie(world.config).issue(credential),
    });
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

  /** Adds members to a group. */
  async adds(groupId: string, ...members: { accountId: string }[]): Promise<void> {
    const memberIds = members.map(({ accountId }) => accountId);
    await this.#succeeds('POST', '/api/chat/groups/members', { groupId, memberIds });
  }

  /** Removes a member of a group, or leaves it. */
  async removes(groupId: string, { accountId: memberId }: { accountId: string } = this): Promise<void> {
    await this.#succeeds('POST', '/api/chat/groups/members/remove', { groupId, memberId });
  }

  async deletesAccount(): Promise<void> {
    const email = `${this.accountId}@example.com`;
    await this.#succeeds('POST', '/api/auth/account/delete', { email });
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

  /** A call that must succeed; returns its data. */
  async gets(method: Method, url: string, body?: object): Promise<Answer['body']> {
    return dataOf(await this.calls(method, url, body), this.name, method, url, body);
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
  readonly #world: Server;

  constructor(world: Server, bot: Application & { accountId: string; username: string; owner: Person }) {
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

  /** Sends text, or content of any type, to a person, and returns its msgId. */
  writes(to: { accountId: string }, content: string | object): Promise<string> {
    return this.#sends('/v1/messages', { to: to.accountId }, content);
  }

  /** The same to a group. */
  writesIn(groupId: string, content: string | object): Promise<string> {
    return this.#sends('/v1/messages/group', { groupId }, content);
  }

  async #sends(path: string, to: object, content: string | object): Promise<string> {
    const sent = typeof content === 'string' ? { type: 'text', content } : content;
    const { status, body } = await this.calls('POST', path, { ...to, ...sent });
    if (status !== 201) throw new Error(`${this.username} could not write: ${JSON.stringify(body)}`);
    return body.data.msgId;
  }

  /** Leaves a group. */
  async leaves(groupId: string): Promise<void> {
    const left = { groupId, memberId: this.accountId };
    const { status, body } = await this.calls('POST', '/v1/groups/members/remove', left);
    if (status !== 200) throw new Error(`${this.username} could not leave: ${JSON.stringify(body)}`);
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

  /** A call that must succeed; returns its data. */
  async gets(method: Method, url: string, body?: object): Promise<Answer['body']> {
    return dataOf(await this.calls(method, url, body), this.username, method, url, body);
  }
}

async function inject(app: App, options: InjectOptions): Promise<Answer> {
  return readAnswer(await app.inject(options));
}
