import { findEventReceivers } from '#features/applications/service.ts';
import { listOwnBots, type OwnBot } from '#features/bots/service.ts';
import { findLastEvent } from '#features/webhooks/event-log.ts';
import { TEXTS } from './texts.ts';
import type { Reply, Turn } from './turn.ts';

const SHOWN_URL_LENGTH = 60;

export async function showMyBots(turn: Turn): Promise<Reply> {
  const { deps, personId } = turn;
  const bots = await listOwnBots(deps.db, personId);
  if (bots.length === 0) return { text: TEXTS.noBots };
  const receivers = await findEventReceivers(
    deps.db,
    bots.map(({ appId }) => appId),
  );
  const urlOf = new Map(receivers.map(({ appId, webhookUrl }) => [appId, webhookUrl]));
  const shown: string[] = [];
  for (const bot of bots) shown.push(await describe(turn, bot, urlOf.get(bot.appId)));
  return { text: TEXTS.myBots(shown.join('\n\n')) };
}

async function describe({ deps, at }: Turn, bot: OwnBot, url: string | undefined): Promise<string> {
  const event = await findLastEvent(deps.db, bot.appId);
  const webhook = url && url.length > SHOWN_URL_LENGTH ? `${url.slice(0, SHOWN_URL_LENGTH)}…` : url;
  return TEXTS.bot({
    ...bot,
    webhook: webhook ?? TEXTS.none,
    lastEvent: event ? `${event.state}, ${TEXTS.ago(at - event.createdAt)}` : TEXTS.none,
  });
}
