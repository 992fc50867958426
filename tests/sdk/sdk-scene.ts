import { KEY_SCOPES } from '#contract/scopes.ts';
import { type Asked, REDIRECT_URI } from '#testing/oauth-client.ts';
import { type Bot, createWorld, type Person, type World } from '#testing/world.ts';

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
