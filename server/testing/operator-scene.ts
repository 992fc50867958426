import type { TestContext } from 'node:test';
import type { Config } from '#platform/config.ts';
import { createAccountScene } from './account-scene.ts';

export type OperatorScene = Awaited<ReturnType<typeof operatorScene>>;

/** A server of the test's own and its operator, appointed on the command line, with two-factor sign-in on. */
export async function operatorScene(t: TestContext, config: Partial<Config> = {}) {
  const base = await createAccountScene(config);
  t.after(() => base[Symbol.asyncDispose]());
  const operator = await base.holder('Grace');
  await base.enrols(operator);
  await base.world.operators.addOperator(operator.email);
  return Object.assign(base, { operator });
}
