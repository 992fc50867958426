import type { TestContext } from 'node:test';
import { type AccountHolder, type AccountScene, createAccountScene } from './account-scene.ts';

export interface OperatorScene extends AccountScene {
  /** Named by the command line, with two-factor sign-in on. */
  operator: AccountHolder;
}

/** Somebody who operates a server of the test's own. */
export async function operatorScene(t: TestContext): Promise<OperatorScene> {
  const base = await createAccountScene();
  t.after(() => base[Symbol.asyncDispose]());
  const operator = await base.holder('Grace');
  await base.enrols(operator);
  await base.world.operators.addOperator(operator.email);
  return Object.assign(base, { operator });
}
