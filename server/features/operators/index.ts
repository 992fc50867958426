import type { ServerHealth } from '#contract/operate/health.ts';
import type { AccountHook, Accounts, OperatorAccounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { ManagementBot } from '#features/management-bot/index.ts';
import type { Holds, Messages } from '#features/messages/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { Reports } from '#features/reports/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { exportActs, listActs, recordAct } from './acts.ts';
import {
  changeQuota,
  findApplications,
  showApplication,
  suspendApplication,
  unsuspendApplication,
} from './applications.ts';
import { listFailingEndpoints, listGrantsOf, showEndpoint } from './endpoints.ts';
import { announce, endAnnouncement, listAnnouncements } from './notices/announce.ts';
import { announcementRoute, maintenanceRoute } from './notices/auth.ts';
import { endMaintenance, startMaintenance } from './notices/maintenance.ts';
import { sendAnnouncements } from './notices/send.ts';
import { addOperator, listOperators, removeOperator } from './operators.ts';
import {
  changePersonLimits,
  deletePerson,
  disableTwoFactor,
  liftSuspension,
  makePasswordLink,
  makeRecoveryCode,
  resetPassword,
  signPersonOut,
  suspendPerson,
} from './people.ts';
import {
  addPerson,
  confirmEmailOf,
  holdConversation,
  listHolds,
  makeInvitation,
  releaseConversation,
  revokeInvitation,
} from './policy.ts';
import { deleteOperator, selectStanding } from './queries.ts';
import { decideReport } from './reports/decide.ts';
import { listReports, showReport } from './reports/list.ts';

export { followNotices, lookForNotices } from './notices/current.ts';
export { watchNotices } from './notices/metrics.ts';

import { operateRoutes } from './operate.ts';

/** The operator, for handlers of the operator's console. */
export interface Operator {
  accountId: string;
  name: string;
}

declare module '#platform/http/serve.ts' {
  interface Callers {
    operator: { operator: Operator };
  }
}

/** Operators: their accounts, their acts on people and applications, and the audit trail. */
export type Operators = ReturnType<typeof openOperators>['api'];

/** The acts that the command line shares; they need no running server. */
export function openOperatorCommands(
  deps: Pick<Platform, 'db' | 'clock' | 'newId' | 'live' | 'notices'> & {
    accounts: Pick<OperatorAccounts, 'requireIdByEmail' | 'findAll' | 'lockShared' | 'operator'>;
    applications: Pick<Applications, 'operatingWithin' | 'announceRevocation' | 'announceReopening'>;
    accountHooks: readonly AccountHook[];
    holds: Holds;
  },
) {
  return {
    ...withDeps(deps, { listOperators, addOperator, removeOperator }),
    ...withDeps(deps, { suspendPerson, liftSuspension, signPersonOut, changePersonLimits }),
    ...withDeps(deps, { resetPassword, disableTwoFactor }),
    ...withDeps(deps, { suspendApplication, unsuspendApplication, changeQuota }),
    ...withDeps(deps, { makeInvitation, revokeInvitation, holdConversation, releaseConversation, listHolds }),
    ...withDeps(deps, { addPerson, confirmEmailOf }),
    ...withDeps(deps, { announce, endAnnouncement, listAnnouncements, startMaintenance, endMaintenance }),
    listSignUpInvitations: deps.accounts.operator.listSignUpInvitations,
    listActs: (before?: string) => listActs(deps, before),
  };
}

/** @param accountHooks of all features; complete before the first request */
function openOperators(
  platform: Platform,
  features: {
    accounts: Accounts;
    applications: Applications;
    groups: Groups;
    webhooks: Webhooks;
    messages: Messages;
    reports: Reports;
    oauth: OAuth;
    managementBot: ManagementBot;
    accountHooks: readonly AccountHook[];
    /** The health of the server, by the checks of the command line. */
    findHealth: () => Promise<ServerHealth>;
  },
) {
  const deps = { ...platform, ...features, holds: features.messages };
  const { operator } = features.accounts;
  const api = {
    ...openOperatorCommands(deps),
    /** Whether an operator has a second factor; undefined for everybody else. */
    findStanding: (accountId: string) => selectStanding(platform.db, accountId),
    findPeople: operator.findPeople,
    showPerson: operator.showPerson,
    listSessionsOf: operator.listSessionsOf,
    ...withDeps(deps, { deletePerson, makePasswordLink, makeRecoveryCode }),
    ...withDeps(deps, { findApplications, showApplication }),
    ...withDeps(deps, { showEndpoint, listFailingEndpoints, listGrantsOf }),
    findHealth: features.findHealth,
    ...withDeps(deps, { listReports, showReport, decideReport, sendAnnouncements }),
    /** The whole trail, newest first, one line of JSON each, including the export itself. */
    async *exportActs(operatorId?: string) {
      await platform.db.write((tx) =>
        recordAct(tx, platform, { operatorId, act: 'trail.exported', subject: operatorId ?? '' }),
      );
      yield* exportActs(deps);
    },
  };
  return {
    api,
    hooks: {
      account: {
        async deleted(tx, { accountId }) {
          await deleteOperator(tx, accountId);
        },
      } satisfies AccountHook,
    },
  };
}

export function createOperators(platform: Platform, features: Parameters<typeof openOperators>[1]) {
  const { api, hooks } = openOperators(platform, features);
  return {
    api,
    hooks,
    routes: [...operateRoutes(api, platform), ...maintenanceRoute(platform), ...announcementRoute(platform)],
  };
}
