import { privateConversationId } from '#platform/ids.ts';
import { Browser } from '../../browser.ts';
import { createPair, PASSWORD, type Pair, signedInHeaders } from '../population.ts';
import type { Load, Place, Somebody } from './load.ts';
import type { Thread } from './operations.ts';

const PEOPLE = 3;
/** Nothing listens there: only the address to which a browser would be sent is read. */
export const REDIRECT_URI = 'http://localhost:1/callback';

export type Population = Awaited<ReturnType<typeof populate>>;

/** People with a bot each, conversations between them, a group of all, and an application that acts for the first. */
export async function populate(origin: string, webhookUrl: string, load: Load) {
  const pairs: Pair[] = [];
  for (let i = 0; i < PEOPLE; i++) pairs.push(await createPair(origin, i, `${webhookUrl}/${i}`));
  const people: Somebody[] = [];
  for (const pair of pairs) {
    const { cookie = '' } = await signedInHeaders(origin, pair);
    people.push({ id: pair.userId, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  }
  const bots = pairs.map(
    ({ botId, apiKey }): Somebody => ({
      id: botId,
      headers: { authorization: `Bearer ${apiKey}` },
    }),
  );
  const owner = new Browser(origin);
  await owner.post('/api/auth/sign-in', { email: pairs[0]?.email, password: PASSWORD });
  const members = [...people, ...bots].map(({ id }) => id);
  const { groupId } = await owner.post('/api/chat/groups', { name: 'All', members });
  const { appId, clientSecret } = await owner.post('/api/console/applications', { name: 'Calendar' });
  await owner.post(`/api/console/applications/${appId}/redirect-uris`, { redirectUri: REDIRECT_URI });

  const thread = String(groupId);
  const group = { thread, path: '/api/chat/groups/messages', to: { groupId } };
  const threads: Record<string, Thread> = { [thread]: { readers: people.map(idOf), bots: bots.map(idOf) } };
  /** Where each of them writes. */
  const places = new Map<Somebody, Place[]>();
  for (const [i, { conversationId, userId, botId }] of pairs.entries()) {
    const [person, bot, next] = [people[i], bots[i], people[(i + 1) % PEOPLE]] as [
      Somebody,
      Somebody,
      Somebody,
    ];
    threads[conversationId] = { readers: [userId], bots: [botId] };
    // By this message, the pair began.
    load.operations.push({ kind: 'send', by: userId, thread: conversationId, text: 'first', invoked: 0 });
    const between = privateConversationId(userId, next.id);
    threads[between] = { readers: [userId, next.id], bots: [] };
    const toNext = { thread: between, path: '/api/chat/messages', to: { to: next.id } };
    await load.send(person, toNext, true);
    places.set(person, [
      { thread: conversationId, path: '/api/chat/messages', to: { to: botId } },
      toNext,
      group,
    ]);
    places.set(bot, [
      { thread: conversationId, path: '/v1/messages', to: { to: userId } },
      { thread, path: '/v1/messages/group', to: { groupId } },
    ]);
  }
  const client = { client_id: String(appId), client_secret: String(clientSecret) };
  return { threads, people, bots, places, group, client };
}

function idOf({ id }: Somebody): string {
  return id;
}
