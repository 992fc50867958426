import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import { MANAGEMENT_BOT_ID, type ManagementBot } from '#features/management-bot/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { Operators } from '#features/operators/index.ts';
import type { Stories } from '#features/stories/index.ts';
import { type SenderOptions, type Webhooks, watchQueue } from '#features/webhooks/index.ts';
import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import { removeExpiredIdempotencyKeys } from '#platform/http/idempotency.ts';
import { Loop, type LoopOptions, type Step } from '#platform/loop.ts';
import { restMs } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';

/** The longest time until work resumes after maintenance. */
const PAUSE_MS = 1_000;

/** A loop that pauses during maintenance, so that nothing changes; due work waits. */
export function startWork(platform: Platform, options: LoopOptions, step: Step): Loop {
  const rest = async () => Math.min(options.everyMs, PAUSE_MS);
  const awaited: (() => void)[] = [];
  const take: Step = async (signal) => {
    const ended = awaited.splice(0);
    try {
      return (await (platform.notices.maintenance ? rest() : step(signal))) ?? options.everyMs;
    } finally {
      for (const resolve of ended) resolve();
    }
  };
  const loop = new Loop(platform, options, take);
  platform.clock.onAdvance?.(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited.push(resolve);
    loop.wake();
    return promise;
  });
  return loop;
}

/** Work that is begun together, and ends together. */
function workOf(platform: Platform) {
  const started = new AsyncDisposableStack();
  const start = (name: string, everyMs: number, step: Step) =>
    started.use(startWork(platform, { name, everyMs }, step));
  return { started, start };
}

type Deps = Platform & {
  accounts: Accounts;
  applications: Applications;
  media: Media;
  oauth: OAuth;
  stories: Stories;
  webhooks: Webhooks;
};

/** Per step, to keep transactions short. */
const LIMIT = { limit: 1000 };

const REMOVALS: ((deps: Deps) => Promise<unknown>)[] = [
  ({ accounts }) => accounts.removeExpired(LIMIT),
  ({ stories }) => stories.removeExpired(LIMIT),
  ({ applications }) => applications.removeExpiredSecrets(),
  ({ applications }) => applications.removeExpiredMonitoring(),
  ({ oauth }) => oauth.endGrantsOfDeleted(),
  ({ oauth }) => oauth.removeExpiredGrants(LIMIT),
  ({ oauth }) => oauth.openId.removeExpiredSigningKeys(),
  ({ webhooks }) => webhooks.removeExpired(LIMIT),
  ({ media }) => media.removeUnused(LIMIT),
  removeExpiredIdempotencyKeys,
];

/** One step: removes expired data. If one removal fails, the others still run. */
export async function removeExpired(deps: Deps, signal?: AbortSignal): Promise<void> {
  const remove = async (removal: (deps: Deps) => Promise<unknown>) => {
    if (!signal?.aborted) await removal(deps);
  };
  await eachByItself(REMOVALS, remove, 'not everything that has expired could be removed');
}

export interface DeliveryWorkerOptions extends SenderOptions {
  /** The longest sleep, and so the longest delay until rows of other processes and due deliveries are found. */
  pollMs?: number;
}

/** How soon after a worker's lease has expired another worker takes over its applications. */
const LEASES_EVERY_MS = 1_000;
const BREAKERS_EVERY_MS = 1_000;
const FORGOTTEN_EVERY_MS = 60_000;
/** Events in memory are sent when they are stored; this is how often those are checked that wait. */
const SEND_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 10_000;

/**
 * Delivers webhooks until it is disposed of. Disposing drains: nothing more is claimed, attempts in progress finish and are
 * recorded, then the promise resolves. Woken by `dueDeliveries`, by a free slot, or by the poll.
 */
export function startDeliveryWorker(
  platform: Platform & { webhooks: Webhooks },
  { pollMs = 1_000, ...options }: DeliveryWorkerOptions = {},
): AsyncDisposable {
  const { started, start } = workOf(platform);
  const delivery = started.use(platform.webhooks.openDelivery(options));
  const claiming = start('webhooks', pollMs, () => delivery.claim());
  const sending = start('webhooks-in-memory', SEND_EVERY_MS, () => delivery.sendHeld());
  const beating = start('delivery-workers', BEAT_EVERY_MS, () => delivery.beat(() => sending.wake()));
  if (platform.redis)
    started.use(
      new Loop(platform, { name: 'delivery-leases', everyMs: LEASES_EVERY_MS }, async () => {
        if (await delivery.renewLeases()) for (const loop of [claiming, beating]) loop.wake();
      }),
    );
  watchQueue(platform, () => delivery.busy());
  start('circuit-breakers', BREAKERS_EVERY_MS, () => delivery.tendBreakers());
  start('parked-events', FORGOTTEN_EVERY_MS, () => delivery.resumeForgotten());
  platform.clock.onAdvance?.(() => delivery.settled());
  started.defer(platform.dueDeliveries.subscribe(() => claiming.wake()));
  started.defer(() => delivery.drain());
  return started;
}

/** Each holds a database connection while it is answered. */
const AT_ONCE = 4;
const SWEEP_EVERY_MS = 5_000;
const SWEPT_AT_ONCE = 100;

/**
 * Answers for the management bot until it is disposed of, which waits for answers in progress. Woken by the
 * live events of the bot's account, or by the poll, which finds messages that a crash left unanswered.
 */
export function startManagementBotWorker(
  { managementBot, ...platform }: Platform & { managementBot: ManagementBot },
  { pollMs = 1_000 }: { pollMs?: number } = {},
): AsyncDisposable {
  const { started, start } = workOf(platform);
  const answering = start('management-bot', pollMs, async () =>
    (await managementBot.answerDue({ limit: AT_ONCE })) > 0 ? 0 : restMs(platform.shards),
  );
  start('management-bot-expiry', SWEEP_EVERY_MS, async () => {
    await managementBot.removeDueSecrets({ limit: SWEPT_AT_ONCE });
    await managementBot.removeExpiredDialogues();
    return restMs(platform.shards);
  });
  started.defer(platform.live.subscribe(MANAGEMENT_BOT_ID, () => answering.wake()));
  return started;
}

/** The pause between slices of an announcement, which leaves disk and CPU to other work. */
const BETWEEN_SLICES_MS = 50;

/** Everything that a process with the role `worker` does in the background. */
export function startWorkers(
  platform: Deps & { messages: Messages; managementBot: ManagementBot; operators: Operators },
): AsyncDisposable {
  const { webhooks, oauth, messages, operators, shards } = platform;
  const { started, start } = workOf(platform);
  started.use(startDeliveryWorker(platform));
  start('event-tasks', 1_000, (signal) => webhooks.workOnTasks(signal));
  start('logout-tokens', 2_000, async () =>
    (await oauth.openId.sendLogouts()) > 0 ? undefined : restMs(shards),
  );
  start('expiry', 60_000, (signal) => removeExpired(platform, signal));
  const expiry = messages.openExpiry();
  start('message-expiry', 60_000, () => expiry.step());
  start('announcements', 2_000, async () =>
    (await operators.sendAnnouncements()) ? BETWEEN_SLICES_MS : undefined,
  );
  started.use(startAlertWorker(platform));
  started.use(startManagementBotWorker(platform));
  return started;
}

/** Sends alerts about abandoned events until it is disposed of. */
export function startAlertWorker({
  webhooks,
  ...platform
}: Platform & { webhooks: Webhooks }): AsyncDisposable {
  return startWork(platform, { name: 'alerts', everyMs: 10_000 }, () => webhooks.alerts.sendDue());
}
