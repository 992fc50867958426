import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { answerDue, installManagementBot, MANAGEMENT_BOT_ID } from '#features/management-bot/index.ts';
import type { Config } from '#platform/config.ts';
import type { Address } from '#platform/safe-fetch/guard.ts';
import { createWorld, type Person, type World } from './world.ts';

const BOT = { accountId: MANAGEMENT_BOT_ID };

/** A world with a management bot, and people who write to it. */
export class ManagementScene implements AsyncDisposable {
  readonly world: World;
  /** DNS answers; a name that is not listed has a public address. */
  readonly names: Map<string, Address[]>;

  constructor(world: World, names: Map<string, Address[]>) {
    this.world = world;
    this.names = names;
  }

  /** Answers as the worker does, until nothing is waiting. */
  async answers(): Promise<void> {
    while ((await answerDue(this.world, { limit: 4 })) > 0);
  }

  /** Sends a message and reads the single answer. */
  async says(person: Person, content: string | object): Promise<string> {
    await person.writes(BOT, content);
    const before = (await person.reads(BOT)).length;
    await this.answers();
    const read = await person.reads(BOT);
    const answers = read.slice(0, read.length - before);
    assert.equal(answers.length, 1, `one answer to ${JSON.stringify(content)}`);
    assert.equal(answers[0]?.from, MANAGEMENT_BOT_ID);
    return answers[0]?.content as string;
  }

  /** The last answer of several messages in a row. */
  async saysAll(person: Person, ...messages: string[]): Promise<string> {
    let answer = '';
    for (const message of messages) answer = await this.says(person, message);
    return answer;
  }

  /** Creates a bot in the chat; returns its key. */
  async makesBot(person: Person, username = 'weather_bot', name = 'Weather'): Promise<string> {
    return keyIn(await this.saysAll(person, `/newbot ${name}`, username));
  }

  /** The status with which the API answers a key. */
  async statusOf(key: string): Promise<number> {
    const { statusCode } = await this.world.app.inject({
      url: '/v1/me',
      headers: { authorization: `Bearer ${key}` },
    });
    return statusCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

export async function createManagementScene(config: Partial<Config> = {}): Promise<ManagementScene> {
  const names = new Map<string, Address[]>();
  const scene = new ManagementScene(await createWorld(config, { names }), names);
  await installManagementBot(scene.world);
  return scene;
}

/** The same until the test has ended, and somebody who writes to it. */
export async function managementScene(t: TestContext, config?: Partial<Config>) {
  const scene = await createManagementScene(config);
  t.after(() => scene[Symbol.asyncDispose]());
  const { world } = scene;
  return { scene, world, person: await world.person() };
}

export function keyIn(text: string): string {
  const [key] = /xk_live_[0-9a-f]{64}/.exec(text) ?? [];
  assert.ok(key, `a key in: ${text}`);
  return key;
}
