import { KEY_SCOPES } from '#contract/scopes.ts';
import { type Asked, REDIRECT_URI } from '#testing/oauth-client.ts';
import { eventually } from '#testing/waits.ts';
import { type Bot, createWorld, type Person, type World } from '#testing/world.ts';
import { signedHeaders } from '../../sdk/cli/commands/listen.ts';
import type { FeedEvent } from '../../sdk/index.ts';

/** A listening server, with the credentials of each kind of application. */
export interface SdkScene extends AsyncDisposable {
  world: World;
  baseUrl: string;
  /** Its key has every scope; its quota is never reached. */
  bot: Bot;
  /** Has written to the bot. */
  ada: Person;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** The person gives or refuses consent at an authorize URL; returns where the browser is sent. */
  consentAt(url: string, isApproved?: boolean): Promise<string>;
}

export async function createSdkScene(): Promise<SdkScene> {
  const world = await createWorld({ maxGroupMembers: 5, requestsPerMinute: 1_000_000 });
  const baseUrl = await world.app.listen({ host: '127.0.0.1', port: 0 });
  const bot = await world.bot();
  await bot.mayOnly(KEY_SCOPES);
  const ada = await world.person('Ada');
  await ada.writes(bot, 'Hello');
  const client = await world.client();
  return {
    world,
    baseUrl,
    bot,
    ada,
    clientId: client.appId,
    clientSecret: client.secret,
    redirectUri: REDIRECT_URI,
    async consentAt(url, isApproved = true) {
      const query = new URL(url).searchParams;
      const asked = {
        person: ada,
        scopes: query.get('scope')?.split(' ') as NonNullable<Asked['scopes']>,
        state: query.get('state') as string,
        challenge: query.get('code_challenge') as string,
      };
      return (await client.asks(asked, isApproved)).href;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** What a program needs to be the bot. */
export function environmentOf({ baseUrl }: Pick<SdkScene, 'baseUrl'>, { key, webhookSecret }: Bot) {
  return { PARLEY_URL: baseUrl, PARLEY_API_KEY: key, PARLEY_WEBHOOK_SECRET: webhookSecret };
}

/** The request of a webhook with an event; `at` is the time of its signature. */
export function webhookOf({ webhookSecret: secret }: Bot, event: FeedEvent['event'], at = Date.now()) {
  const body = JSON.stringify(event);
  const eventId = 'msgId' in event.data ? event.data.msgId : 'evt_1';
  return { method: 'POST', headers: signedHeaders({ secret, type: event.type, eventId, body, at }), body };
}

/** The same with the latest event of the bot. */
export async function latestWebhookOf(bot: Bot) {
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  return webhookOf(bot, events.at(-1).event);
}

/** Waits for a message of the bot in its chat with Ada. */
export function answered({ ada }: Pick<SdkScene, 'ada'>, bot: Bot, text: string) {
  return eventually(async () =>
    (await ada.reads(bot)).find(({ from, content }) => from === bot.accountId && content === text),
  );
}
