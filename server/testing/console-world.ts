import type { TestContext } from 'node:test';
import type { NewApplication } from '#contract/applications.ts';
import type { Config } from '#platform/config.ts';
import type { Address } from '#platform/safe-fetch/guard.ts';
import { Person } from './actors.ts';
import type { Answer } from './answers.ts';
import { createWorld, type World } from './world.ts';

/** Developers and their console. */
export interface ConsoleWorld extends World {
  /** DNS answers; a name that is not listed has a public address. */
  names: Map<string, Address[]>;
  /** A person who has just signed in. */
  owner(): Promise<Owner>;
}

export async function createConsoleWorld(config: Partial<Config> = {}): Promise<ConsoleWorld> {
  const names = new Map<string, Address[]>();
  const world = await createWorld(config, { names });
  return { ...world, names, owner: async () => new Owner(world, await world.person()) };
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
export class Owner extends Person {
  /** @param path below `/api/console` */
  call(method: Parameters<Person['calls']>[0], path: string, body?: object): Promise<Answer> {
    return this.calls(method, `/api/console${path}`, body);
  }

  application(name = 'Weather'): Promise<NewApplication> {
    return this.gets('POST', '/api/console/applications', { name });
  }
}
