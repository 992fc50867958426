import type { ActDetails } from '#contract/operate/acts.ts';
import type { Accounts, ProvisioningAct } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { RequestWindow } from '#platform/rate-limits.ts';
import type { ProviderClients } from './clients.ts';

/** Dependencies of signing in at a provider. */
export interface ProviderDeps extends Platform {
  accounts: Accounts;
  clients: ProviderClients;
  /** Arrivals from providers, by network; those that succeed are not counted. */
  arrivals: RequestWindow;
  /** In the transaction of a sign-in, or of the end of the connection: whether the person is an operator by the provider. */
  setOperator: (
    tx: Tx,
    operator: { accountId: string; providerId: string; isOperator: boolean },
  ) => Promise<void>;
  /** Records an act of a provider in the operators' trail. */
  recordAct: (
    tx: Tx,
    act: { providerId: string; act: ProvisioningAct; subject: string; details: ActDetails },
  ) => Promise<void>;
}
