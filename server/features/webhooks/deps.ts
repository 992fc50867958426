import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { MemoryQueue } from './delivery/memory-queue.ts';

/** Dependencies of recording, delivering and logging events. */
export interface WebhookDeps extends Platform {
  accounts: Accounts;
  applications: Applications;
  bots: Bots;
  groups: Groups;
  memoryQueue: MemoryQueue;
}
