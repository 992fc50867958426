import { approve } from '#testing/stock-client-scene.ts';
import type { Chance } from '../../chance.ts';
import type { Load, Place, Poll, Somebody } from './load.ts';
import { type Population, REDIRECT_URI } from './population.ts';

const OPTIONS = ['Tea', 'Coffee', 'Cocoa'];
/** Of one person: they vote at the same time. */
const DEVICES = 2;
/** A poll for each so many votes of a person. */
const VOTES_PER_POLL = 12;
/** How often a pair of tokens is rotated at most. */
const ROTATIONS = 3;

/** Everybody at once, until the end of the load. */
export function startClients(load: Load, origin: () => string, all: Population): Promise<unknown> {
  const { people, bots, places, threads } = all;
  const polls: Poll[] = [];
  const write = (by: Somebody, { oneOf, isHeads }: Chance) =>
    load.send(by, oneOf(places.get(by) as Place[]), isHeads());
  return Promise.all([
    ...[...people, ...bots].map((by, i) => load.repeat(`${i} writes`, (chance) => write(by, chance))),
    ...people.map((person, i) => {
      const own = Object.keys(threads).filter((thread) => threads[thread]?.readers.includes(person.id));
      return load.repeat(`person ${i} reads`, (chance) => read(load, person, chance.oneOf(own), chance));
    }),
    ...people.flatMap((person, i) =>
      Array.from({ length: DEVICES }, (_, device) => {
        let [votes, isAnswered] = [0, true];
        let last: Poll | undefined;
        return load.repeat(`person ${i} votes on ${device}`, async ({ between }) => {
          const isAsking = i + device === 0 && (votes++ % VOTES_PER_POLL === 0 || !isAnswered);
          if (isAsking) polls.push(...(await ask(load, person, all.group)));
          const poll = polls.at(-1);
          // After an unanswered vote, it waits for the next poll: the orders with many such votes would be too many to check.
          if (!poll || (poll === last && !isAnswered)) return;
          last = poll;
          isAnswered = await load.vote(person, poll, between(0, OPTIONS.length - 1));
        });
      }),
    ),
    ...bots.map((bot, i) => {
      let last = 0;
      return load.repeat(`bot ${i} fetches`, async ({ isHeads }) => {
        const upTo = await load.fetch(bot, isHeads() ? last : undefined);
        last = Math.max(last, upTo ?? 0);
        if (upTo && isHeads()) await load.acknowledge(bot, upTo);
      });
    }),
    liveAsApplication(load, origin, all),
  ]);
}

async function read(load: Load, person: Somebody, thread: string, { isHeads }: Chance): Promise<void> {
  const newest = await load.read(person, thread);
  if (newest && isHeads()) await load.mark(person, thread, newest);
  if (isHeads()) await load.mark(person, thread);
}

async function ask(load: Load, by: Somebody, place: Place): Promise<Poll[]> {
  const answer = await load.send(by, place, true, OPTIONS);
  if (!answer) return [];
  const { msgId, poll } = answer.body.data as { msgId: string; poll: { options: { id: string }[] } };
  return [{ msgId, optionIds: poll.options.map(({ id }) => id) }];
}

/** Asks for consent, uses and rotates tokens, and ends each family, by a revocation or by presenting a token twice. */
function liveAsApplication(load: Load, origin: () => string, { people, client }: Population): Promise<void> {
  const cookie = people[0]?.headers['cookie'] ?? '';
  const query = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: 'profile',
  };
  let families = 0;
  return load.repeat('application', async ({ between, isHeads }) => {
    const consent = new URL(`/oauth/authorize?${new URLSearchParams(query)}`, origin());
    const code = (await approve(consent, { cookie }).catch(() => undefined))?.searchParams.get('code');
    if (!code) return;
    const family = `family ${++families}`;
    const refresh = (refresh_token: string) =>
      load.exchange(family, refresh_token, { grant_type: 'refresh_token', refresh_token, ...client });
    let pair = await load.exchange(family, code, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      ...client,
    });
    for (let left = between(0, ROTATIONS); pair.refresh && pair.access && left > 0; left--) {
      const { access } = pair;
      await load.use(family, access);
      pair = await refresh(pair.refresh);
      await load.use(family, access);
    }
    if (!pair.refresh || !pair.access) return;
    const { access, refresh: newest } = pair;
    const uses = load.use(family, access);
    if (isHeads()) await load.revoke(family, { token: newest, ...client });
    else pair = (await Promise.all([refresh(newest), refresh(newest)])).find((won) => won.access) ?? pair;
    await uses;
    await load.use(family, pair.access as string);
    await refresh(pair.refresh as string);
  });
}
