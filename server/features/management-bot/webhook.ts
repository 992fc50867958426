import { sayOfField } from '#contract/reasons.ts';
import type { DeliveryApplication } from '#features/applications/index.ts';
import type { OwnBot } from '#features/bots/index.ts';
import { Refusal } from '#platform/safe-fetch/guard.ts';
import { says, shorten } from './input.ts';
import { TEXTS } from './texts.ts';
import {
  consoleOf,
  noteMade,
  ownOf,
  type Reply,
  refuseStaleSignIn,
  refuseToMake,
  type Turn,
  UrlCheckNeeded,
} from './turn.ts';

const OVERLAP_HOURS = 24;
const SHOWN_URL_LENGTH = 200;

async function askWebhook(turn: Turn, { appId, username }: OwnBot): Promise<Reply> {
  const [application] = await turn.deps.applications.findForDelivery([appId]);
  return {
    text: TEXTS.askWebhook(username, describeUrl(application, SHOWN_URL_LENGTH)),
    next: { kind: 'webhook', appId },
  };
}

export async function takeWebhook(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { deps, serverUrl } = turn;
  const { appId, username } = bot;
  const own = ownOf(turn, appId);
  const refusal = refuseStaleSignIn(turn);
  const next = { kind: 'webhook' as const, appId };
  if (text === '') return refusal === undefined ? askWebhook(turn, bot) : { text: refusal };
  if (says('keep', text)) return { text: TEXTS.webhookKept };
  if (refusal !== undefined) return { text: refusal, next };
  if (says('remove', text)) {
    const [application] = await deps.applications.findForDelivery([appId]);
    if (!application?.hasWebhookUrl) return { text: TEXTS.noWebhook(username) };
    await deps.applications.removeWebhookUrl(own);
    return { text: TEXTS.webhookRemoved(username) };
  }
  if (!text.includes('://')) return { text: TEXTS.notUrl, next };
  const checked = turn.checkedUrls.get(text);
  if (!checked) throw new UrlCheckNeeded(text);
  if ('fault' in checked)
    return { text: TEXTS.badUrl(sayOfField('it', `url-${checked.fault}`).message), next };
  // The service checks the URL, too, but without another DNS look-up inside the transaction.
  const guard = { ...deps.guard, resolve: () => Promise.reject(new Refusal('dns')) };
  await deps.applications.setWebhookUrl(own, text, guard);
  return {
    text: TEXTS.webhookSet(username, consoleOf(serverUrl)),
    next: { kind: 'webhook-secret', appId },
    afterCommit: (committed) => committed.applications.announceReopening(appId),
  };
}

export async function takeSecretWish(turn: Turn, { appId, username }: OwnBot, text: string): Promise<Reply> {
  const next = { kind: 'webhook-secret' as const, appId };
  if (says('no', text)) return { text: TEXTS.webhookKept };
  const isOverlapping = says('overlap', text);
  if (!says('yes', text) && !isOverlapping) return { text: TEXTS.askSecret, next };
  const refusal = refuseToMake(turn, 'secrets');
  if (refusal !== undefined) return { text: refusal, next };
  const own = ownOf(turn, appId);
  const overlapHours = isOverlapping ? OVERLAP_HOURS : undefined;
  const secret = await turn.deps.applications.regenerateWebhookSecret(own, overlapHours);
  noteMade(turn, 'secrets');
  return {
    text: TEXTS.webhookSecret(username, secret, overlapHours),
    next: { kind: 'done' },
    isSecret: true,
  };
}

/** Undefined when there is none. */
export function describeUrl(
  application: Pick<DeliveryApplication, 'hasWebhookUrl' | 'webhookUrl'> | undefined,
  length: number,
): string | undefined {
  if (!application?.hasWebhookUrl) return undefined;
  const { webhookUrl } = application;
  return webhookUrl === undefined ? TEXTS.unreadableUrl : shorten(webhookUrl, length);
}
