import type { TestContext } from 'node:test';
import type { Extension } from '#contract/applications.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import { storeWebhookUrl } from '#features/applications/addresses.ts';
import { suspendApplication, unsuspendApplication } from '#features/applications/life-cycle.ts';
import { updateWebhookUrl } from '#features/applications/queries.ts';
import { lockAnyApplication } from '#features/applications/service.ts';
import type { Config } from '#platform/config.ts';
import type { App } from '#platform/http/app.ts';
import { composeFeatures, createHttp, type Features } from '../app.ts';
import { Bot, Person } from './actors.ts';
import { OAuthClient } from './oauth-client.ts';
import { createTestPlatform, type TestPlatform, type TestPlatformOptions } from './platform.ts';

export type { Bot, Person };

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
  client(options?: { name?: string }): Promise<OAuthClient>;
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
      const own = { actorId: person.accountId, appId };
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
      const own = { appId, actorId: owner.accountId };
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
  await world.db`
    insert into accounts (account_id, is_bot, name, email, created_at)
    values (${accountId}, false, ${name}, ${`${accountId}@example.com`}, ${world.clock.now()})`;
  return Person.signIn(world, { accountId, name });
}
