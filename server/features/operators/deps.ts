import type { ServerHealth } from '#contract/operate/health.ts';
import type { Accounts, OperatorAccounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Holds, Messages } from '#features/messages/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { Reports } from '#features/reports/index.ts';
import type { SignInProviders } from '#features/sign-in-providers/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';

/** Dependencies of the acts that the command line shares; they need no running server. */
export type OperatorCommandDeps = Pick<Platform, 'config' | 'db' | 'clock' | 'newId' | 'live' | 'notices'> & {
  accounts: Pick<OperatorAccounts, 'requireIdByEmail' | 'findAll' | 'findByIds' | 'lockShared' | 'operator'>;
  applications: Pick<Applications, 'operatingWithin' | 'announceRevocation' | 'announceReopening'>;
  holds: Holds;
};

/** Dependencies of the operators’ routes and acts. */
export interface OperatorDeps extends Platform {
  accounts: Accounts;
  applications: Applications;
  groups: Groups;
  webhooks: Webhooks;
  messages: Messages;
  holds: Holds;
  reports: Reports;
  providers: SignInProviders;
  oauth: OAuth;
  /** The health of the server, by the checks of the command line. */
  findHealth: () => Promise<ServerHealth>;
}
