import type { Accounts, Person } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Polls } from '#features/polls/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createSimulatorAccountHook } from './account-hook.ts';
import { simulatorRoutes } from './console.ts';
import {
  askAsTestPerson,
  blockAsTestPerson,
  findTestChat,
  readAsTestPerson,
  resetTestPerson,
  showSimulator,
  type TestChat,
  voteAsTestPerson,
  writeAsTestPerson,
} from './simulator.ts';
import { readTimeline } from './timeline.ts';

declare module '#platform/http/serve.ts' {
  interface Callers {
    tester: { person: Person; appId: string; chat: TestChat };
  }
}

/** An owner acts as a test person who talks to the owner's bot. */
export type Simulator = ReturnType<typeof openSimulator>['api'];

function openSimulator(
  platform: Platform,
  features: {
    accounts: Accounts;
    applications: Applications;
    bots: Bots;
    contacts: Contacts;
    messages: Messages;
    polls: Polls;
    webhooks: Webhooks;
  },
) {
  const api = {
    ...withDeps(
      { ...platform, ...features },
      {
        findChat: findTestChat,
        show: showSimulator,
        write: writeAsTestPerson,
        ask: askAsTestPerson,
        vote: voteAsTestPerson,
        read: readAsTestPerson,
        block: blockAsTestPerson,
        reset: resetTestPerson,
        readTimeline,
      },
    ),
  };
  return { api, hooks: { account: createSimulatorAccountHook(features) } };
}

export function createSimulator(platform: Platform, features: Parameters<typeof openSimulator>[1]) {
  const { api, hooks } = openSimulator(platform, features);
  return { api, hooks, routes: [...simulatorRoutes(api, features.webhooks)] };
}
