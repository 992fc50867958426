import { sayOfField } from '#contract/reasons.ts';
import type { Translate } from '#contract/texts.ts';
import type { DeliveryApplication } from '#features/applications/index.ts';
import type { OwnBot } from '#features/bots/index.ts';
import { Refusal } from '#platform/safe-fetch/guard.ts';
import { messageIn } from '#platform/texts.ts';
import { says, shorten } from './input.ts';
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
  const { t } = turn;
  const asked = t('bot.say.askWebhook', { username });
  const url = describeUrl(application, SHOWN_URL_LENGTH, t);
  return {
    text: url === undefined ? asked : `${asked}\n\n${t('bot.say.currentWebhook', { url })}`,
    next: { kind: 'webhook', appId },
  };
}

export async function takeWebhook(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { deps, serverUrl, language, t } = turn;
  const { appId, username } = bot;
  const own = ownOf(turn, appId);
  const refusal = refuseStaleSignIn(turn);
  const next = { kind: 'webhook' as const, appId };
  if (text === '') return refusal === undefined ? askWebhook(turn, bot) : { text: refusal };
  if (says('keep', text)) return { text: t('bot.say.webhookKept') };
  if (refusal !== undefined) return { text: refusal, next };
  if (says('remove', text)) {
    const [application] = await deps.applications.findForDelivery([appId]);
    if (!application?.hasWebhookUrl) return { text: t('bot.say.noWebhook', { username }) };
    await deps.applications.removeWebhookUrl(own);
    return { text: t('bot.say.webhookRemoved', { username }) };
  }
  if (!text.includes('://')) return { text: t('bot.say.notUrl'), next };
  const checked = turn.checkedUrls.get(text);
  if (!checked) throw new UrlCheckNeeded(text);
  if ('fault' in checked)
    return {
      text: t('bot.say.badUrl', { fault: messageIn(language, sayOfField('it', `url-${checked.fault}`)) }),
      next,
    };
  // The service checks the URL, too, but without another DNS look-up inside the transaction.
  const guard = { ...deps.guard, resolve: () => Promise.reject(new Refusal('dns')) };
  await deps.applications.setWebhookUrl(own, text, guard);
  return {
    text: t('bot.say.webhookSet', {
      username,
      consoleUrl: consoleOf(serverUrl),
      choices: t('bot.say.secretChoices'),
    }),
    next: { kind: 'webhook-secret', appId },
    afterCommit: (committed) => committed.applications.announceReopening(appId),
  };
}

export async function takeSecretWish(turn: Turn, { appId, username }: OwnBot, text: string): Promise<Reply> {
  const { t } = turn;
  const next = { kind: 'webhook-secret' as const, appId };
  if (says('no', text)) return { text: t('bot.say.webhookKept') };
  const isOverlapping = says('overlap', text);
  if (!says('yes', text) && !isOverlapping)
    return { text: t('bot.say.askSecret', { choices: t('bot.say.secretChoices') }), next };
  const refusal = refuseToMake(turn, 'secrets');
  if (refusal !== undefined) return { text: refusal, next };
  const own = ownOf(turn, appId);
  const overlapHours = isOverlapping ? OVERLAP_HOURS : undefined;
  const secret = await turn.deps.applications.regenerateWebhookSecret(own, overlapHours);
  noteMade(turn, 'secrets');
  return {
    text: t('bot.say.webhookSecret', {
      username,
      secret,
      old:
        overlapHours === undefined
          ? t('bot.say.oldEnded')
          : t('bot.say.oldOverlaps', { hours: overlapHours }),
    }),
    next: { kind: 'done' },
    isSecret: true,
  };
}

/** Undefined when there is none. */
export function describeUrl(
  application: Pick<DeliveryApplication, 'hasWebhookUrl' | 'webhookUrl'> | undefined,
  length: number,
  t: Translate,
): string | undefined {
  if (!application?.hasWebhookUrl) return undefined;
  const { webhookUrl } = application;
  return webhookUrl === undefined ? t('bot.say.unreadableUrl') : shorten(webhookUrl, length);
}
