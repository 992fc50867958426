import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Push } from '#features/push/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limits.ts';
import type { MessageHook } from './hook.ts';

/** Dependencies of messages and conversations. */
export interface MessageDeps extends Platform {
  accounts: Accounts;
  applications: Applications;
  bots: Bots;
  contacts: Contacts;
  groups: Groups;
  media: Media;
  webhooks: Webhooks;
  push: Push;
  hooks: readonly MessageHook[];
  /** How often a person may look up a username. */
  finding: RateLimit;
}
