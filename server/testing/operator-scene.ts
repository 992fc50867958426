import type { TestContext } from 'node:test';
import type { Config } from '#platform/config.ts';
import { type AccountHolder, type AccountScene, createAccountScene } from './account-scene.ts';

export interface OperatorScene extends AccountScene {
  /** Appointed on the command line, with two-factor sign-in on. */
  operator: AccountHolder;
}

/** A server of the test's own and its operator. */
export async function operatorScene(t: TestContext, config: Partial<Config> = {}): Promise<OperatorScene> {
  const base = await createAccountScene(config);
  t.after(() => base[Symbol.asyncDispose]());
  const operator = await base.holder('Grace');
  await base.enrols(operator);
  await base.world.operators.addOperator(operator.email);
  return Object.assign(base, { operator });
}
