import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Platform } from '#platform/platform.ts';

export type IncomingWebhookDeps = Platform & {
  accounts: Accounts;
  applications: Applications;
  bots: Bots;
  groups: Groups;
  messages: Messages;
};
