import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import { OPERATE } from '#contract/api/operate.ts';
import type { ServerOverview } from '#contract/operate/health.ts';
import type { AccountHook } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { withDeps } from '#platform/with-deps.ts';
import { type Act, byActs, exportActs, listActs, performing, recordAct, trailRoutes } from './acts.ts';
import {
  applicationActs,
  applicationRoutes,
  listFailingEndpoints,
  listGrantsOf,
  showApplication,
  showEndpoint,
} from './applications.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';
import { announcementActs, listAnnouncements, sendAnnouncements } from './notices/announce.ts';
import { maintenanceActs } from './notices/maintenance.ts';
import {
  addOperator,
  deleteOperator,
  listOperators,
  removeOperator,
  selectStanding,
  setByProvider,
} from './operators.ts';
import { accountActs, personActs, personRoutes } from './people.ts';
import { policyActs, policyRoutes } from './policy.ts';
import { providerActs, providerRoutes } from './providers.ts';
import { listReports, reportActs, reportRoutes, showReport } from './reports.ts';

export { followNotices, lookForNotices, watchNotices } from './notices/current.ts';

/** The operator, for handlers of the operators' console. */
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
export type Operators = ReturnType<typeof createOperators>['api'];

const noticeActs = { ...announcementActs, ...maintenanceActs };
const commandActs = { ...personActs, ...applicationActs, ...policyActs, ...noticeActs };
const serverActs = { ...commandActs, ...accountActs, ...providerActs, ...reportActs };

/** The acts that the command line shares; they need no running server. */
export function openOperatorCommands(deps: OperatorCommandDeps) {
  return {
    perform: performing(deps, commandActs),
    ...withDeps(deps, { listOperators, addOperator, removeOperator, listAnnouncements, listActs }),
    listHolds: deps.holds.listHeld,
    listSignUpInvitations: deps.accounts.operator.listSignUpInvitations,
  };
}

export function createOperators(given: Omit<OperatorDeps, 'holds'>) {
  const deps: OperatorDeps = { ...given, holds: given.messages };
  const { operator } = deps.accounts;
  return {
    api: {
      ...openOperatorCommands(deps),
      perform: performing(deps, serverActs),
      /** Whether an operator has a second factor; undefined for everybody else. */
      findStanding: (accountId: string) => selectStanding(deps.db, accountId),
      showPerson: operator.showPerson,
      listSessionsOf: operator.listSessionsOf,
      ...withDeps(deps, { exportActs, showApplication, showEndpoint, listFailingEndpoints, listGrantsOf }),
      ...{ recordAct: (tx: Tx, act: Act) => recordAct(tx, deps, act) },
      ...withDeps(deps, { setByProvider, listReports, showReport, sendAnnouncements }),
    },
    routes: [
      ...everybodyRoutes(deps),
      serve(OPERATE, {
        'GET /me': ({ operator }) => operator,
        'GET /overview': () => showOverview(deps),
        'GET /health': () => deps.findHealth(),
        'GET /announcements': async () => ({ announcements: await listAnnouncements(deps) }),
      }),
      ...personRoutes(deps),
      ...applicationRoutes(deps),
      ...reportRoutes(deps),
      ...policyRoutes(deps),
      ...providerRoutes(deps),
      serve(OPERATE, byActs(deps, noticeActs)),
      trailRoutes(deps),
    ],
    hooks: {
      account: {
        async deleted(tx, { accountId }) {
          await deleteOperator(tx, accountId);
        },
      } satisfies AccountHook,
    },
  };
}

/** The server in numbers, as far as they cost little. */
async function showOverview(deps: OperatorDeps): Promise<ServerOverview> {
  const [people, totals, { open, oldestAt }, { due }] = await Promise.all([
    deps.accounts.operator.countPeople(deps.clock.now()),
    deps.applications.operator.countAll(),
    deps.reports.findWaiting(),
    deps.webhooks.countQueue(),
  ]);
  return {
    people,
    ...totals,
    openReports: open,
    ...(oldestAt !== null && { oldestReportAt: oldestAt }),
    dueEvents: due,
  };
}

/**
 * For everybody: the current maintenance, which the sign-in pages show, too, announcements to people, and whether they
 * operate this server.
 */
function everybodyRoutes({ db, notices, clock, reports }: OperatorDeps) {
  return [
    serve(SIGN_IN, {
      'GET /maintenance': () => ({ ...(notices.maintenance && { maintenance: notices.maintenance }) }),
    }),
    serve(ACCOUNT, {
      'GET /announcements': () => ({ announcements: notices.announcementsAt(clock.now()) }),
      'GET /operating': async ({ person }) => {
        if (!(await selectStanding(db, person.accountId))) return {};
        return { operator: { openReports: (await reports.findWaiting()).open } };
      },
    }),
  ];
}
