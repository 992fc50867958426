import type { Person } from '#features/accounts/index.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createSimulatorAccountHook } from './account-hook.ts';
import { simulatorRoutes } from './console.ts';
import { findTestChat, type SimulatorDeps, type TestChat } from './simulator.ts';

declare module '#platform/http/serve.ts' {
  interface Callers {
    tester: { person: Person; appId: string; chat: TestChat };
  }
}

/** An owner acts as a test person who talks to the owner's bot. */
export type Simulator = ReturnType<typeof createSimulator>['api'];

export function createSimulator(deps: SimulatorDeps) {
  return {
    api: withDeps(deps, { findChat: findTestChat }),
    routes: simulatorRoutes(deps),
    hooks: { account: createSimulatorAccountHook(deps) },
  };
}
