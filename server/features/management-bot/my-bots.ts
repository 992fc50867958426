import type { OwnBot } from '#features/bots/index.ts';
import { shorten } from './input.ts';
import { TEXTS } from './texts.ts';
import type { Turn } from './turn.ts';
import { describeUrl } from './webhook.ts';

/** So that 20 bots fit into one message. */
const SHOWN_NAME_LENGTH = 40;
const SHOWN_URL_LENGTH = { ofFew: 120, ofMany: 30 };
const FEW = 5;

export async function showMyBots(turn: Turn): Promise<string> {
  const { deps, personId } = turn;
  const bots = await deps.bots.listOwn(personId);
  if (bots.length === 0) return TEXTS.noBots;
  const applications = await deps.applications.findForDelivery(bots.map(({ appId }) => appId));
  const applicationOf = new Map(applications.map((application) => [application.appId, application]));
  const length = bots.length <= FEW ? SHOWN_URL_LENGTH.ofFew : SHOWN_URL_LENGTH.ofMany;
  const shown: string[] = [];
  for (const bot of bots) {
    const url = describeUrl(applicationOf.get(bot.appId), length);
    shown.push(await describe(turn, bot, url ?? TEXTS.none));
  }
  return TEXTS.myBots(shown.join('\n\n'));
}

async function describe({ deps, at }: Turn, bot: OwnBot, webhook: string): Promise<string> {
  const event = await deps.webhooks.findLastEvent(bot.appId, deps.db);
  return TEXTS.bot({
    ...bot,
    name: shorten(bot.name, SHOWN_NAME_LENGTH),
    webhook,
    lastEvent: event ? `${event.state}, ${TEXTS.ago(at - event.createdAt)}` : TEXTS.none,
  });
}
