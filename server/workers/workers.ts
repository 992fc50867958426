import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { ManagementBot } from '#features/management-bot/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { Operators } from '#features/operators/index.ts';
import type { Stories } from '#features/stories/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { restMs } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { startAlertWorker } from './alerts.ts';
import { startDeliveryWorker } from './delivery.ts';
import { startExpiryWorker } from './expiry.ts';
import { startManagementBotWorker } from './management-bot.ts';
import { startWork } from './work.ts';

/** The pause between slices of an announcement, which leaves disk and CPU to other work. */
const BETWEEN_SLICES_MS = 50;

/** Everything that a process with the role `worker` does in the background. */
export function startWorkers(
  platform: Platform & {
    accounts: Accounts;
    applications: Applications;
    media: Media;
    messages: Messages;
    oauth: OAuth;
    stories: Stories;
    webhooks: Webhooks;
    managementBot: ManagementBot;
    operators: Operators;
  },
): AsyncDisposable {
  const started = new AsyncDisposableStack();
  started.use(startDeliveryWorker(platform));
  const tasks = { name: 'event-tasks', everyMs: 1_000 };
  started.use(startWork(platform, tasks, (signal) => platform.webhooks.workOnTasks(signal)));
  const logouts = { name: 'logout-tokens', everyMs: 2_000 };
  const sendLogouts = async () =>
    (await platform.oauth.openId.sendLogouts()) > 0 ? undefined : restMs(platform.shards);
  started.use(startWork(platform, logouts, sendLogouts));
  started.use(startExpiryWorker(platform));
  const expiry = platform.messages.openExpiry();
  started.use(startWork(platform, { name: 'message-expiry', everyMs: 60_000 }, () => expiry.step()));
  const announcements = { name: 'announcements', everyMs: 2_000 };
  started.use(
    startWork(platform, announcements, async () =>
      (await platform.operators.sendAnnouncements()) ? BETWEEN_SLICES_MS : undefined,
    ),
  );
  started.use(startAlertWorker(platform));
  started.use(startManagementBotWorker(platform));
  return started;
}
