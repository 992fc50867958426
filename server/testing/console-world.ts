import type { TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { NewApplication } from '#contract/applications.ts';
import { createSessionCookie, startSession } from '#features/accounts/sessions/session.ts';
import type { Config } from '#platform/config.ts';
import { type App, createApp } from '#platform/http/app.ts';
import { type Address, createGuard } from '#platform/safe-fetch/guard.ts';
import { consoleSurface } from '#surfaces/people/surfaces.ts';
import { composeFeatures, type Features } from '../app.ts';
import type { Answer } from './answers.ts';
import { readAnswer } from './answers.ts';
import { createTestPlatform, type TestPlatform } from './platform.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The developers' console on a database of the test's own, and the people who use it. */
export class ConsoleWorld implements AsyncDisposable {
  readonly platform: TestPlatform;
  readonly features: Features;
  readonly app: App;
  /** DNS answers; a name that is not listed has a public address. */
  readonly names: Map<string, Address[]>;

  constructor(
    platform: TestPlatform,
    { features, app, names }: { features: Features; app: App; names: Map<string, Address[]> },
  ) {
    this.platform = platform;
    this.features = features;
    this.app = app;
    this.names = names;
  }

  /** A person who has just signed in. */
  async owner(): Promise<Owner> {
    const { db, clock, newId, config } = this.platform;
    const accountId = newId('usr');
    const credential = await db.begin(async (tx) => {
      await tx`
        insert into accounts (account_id, is_bot, name, created_at) values (${accountId}, false, 'Ada', ${clock.now()})`;
      return startSession(tx, this.platform, {
        accountId,
        userAgent: 'test',
        methods: ['pwd'],
        now: clock.now(),
      });
    });
    const cookie = createSessionCookie(config).issue(credential).split(';', 1)[0] as string;
    return new Owner(this, accountId, cookie);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    await this.platform[Symbol.asyncDispose]();
  }
}

export async function createConsoleWorld(config: Partial<Config> = {}): Promise<ConsoleWorld> {
  const platform = await createTestPlatform(config);
  const names = new Map<string, Address[]>();
  const guard = createGuard({
    lookup: async (name) => names.get(name) ?? [{ address: '93.184.215.14', family: 4 }],
  });
  const app = createApp(platform);
  const deps = { ...platform, guard };
  const features = composeFeatures(deps);
  await app.register((scope) => consoleSurface(scope, { ...deps, ...features }), {
    prefix: '/api/console',
  });
  return new ConsoleWorld(platform, { features, app, names });
}

/** A developer with an application, until the test has ended. */
export async function consoleScene(
  t: TestContext,
): Promise<NewApplication & { world: ConsoleWorld; owner: Owner }> {
  const world = await createConsoleWorld();
  t.after(() => world[Symbol.asyncDispose]());
  const owner = await world.owner();
  return { world, owner, ...(await owner.application()) };
}

/** Actions of a developer in the console. */
export class Owner {
  readonly world: ConsoleWorld;
  readonly accountId: string;
  readonly cookie: string;

  constructor(world: ConsoleWorld, accountId: string, cookie: string) {
    this.world = world;
    this.accountId = accountId;
    this.cookie = cookie;
  }

  async call(method: Method, path: string, payload?: unknown): Promise<Answer> {
    const answer = await this.world.app.inject({
      method,
      url: `/api/console${path}`,
      headers: { cookie: this.cookie, 'sec-fetch-site': 'same-origin' },
      ...(payload !== undefined && { payload: payload as NonNullable<InjectOptions['payload']> }),
    });
    return readAnswer(answer);
  }

  async application(name = 'Weather'): Promise<NewApplication> {
    const { status, body } = await this.call('POST', '/applications', { name });
    if (status !== 201) throw new Error(`no application: ${JSON.stringify(body)}`);
    return body.data;
  }
}
