import assert from 'node:assert/strict';
import { endSessions } from '#features/accounts/sessions/session.ts';
import type { Answer } from '#testing/answers.ts';
import type { Person } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Race, race } from '../race.ts';
import { endAccount, expectStatuses, pathOf, text } from './scenes.ts';

/** The addresses under which the account is found. */
async function addressesOf({ world }: Arena, { accountId }: Person): Promise<string[]> {
  const rows = await world.db<{ value: string }[]>`
    select value from unique_names where owner_id = ${accountId} and kind = 'email'`;
  return rows.map(({ value }) => value);
}

const changeEmail = (person: Person, email: string) =>
  person.calls('POST', '/api/auth/email', { email, language: 'en' });

/** An address that nobody else has. */
const addressOf = ({ accountId }: Person, name: string) => `${name}.${accountId.toLowerCase()}@example.com`;

/** Ada does something as her account ends: of what is hers, nothing is left. */
function whileItEnds(
  table: string,
  act: (
    ada: Person,
    given: { bob: Person; groupId: string; msgId: string; elementId: string },
  ) => Promise<Answer>,
): Race {
  return race({}, async (arena) => {
    const { world } = arena;
    const [ada, bob] = [await world.person(), await world.person()];
    await ada.writes(bob, 'hi');
    const groupId = await bob.makesGroup([ada]);
    const { msgId } = await bob.writesIn(groupId, 'hi');
    await bob.calls('POST', '/api/chat/stories', { type: 'text', text: 'hi' });
    const [story] = await bob.gets('GET', '/api/chat/stories/mine');
    const given = { bob, groupId, msgId, elementId: story.texts[0].id };
    return {
      works: [() => act(arena.person(0, ada), given), () => endAccount(arena.person(1, ada))],
      async check(results) {
        expectStatuses(results, [200, 401, 404], 200);
        const left = await world.db`select from ${world.db(table)} where account_id = ${ada.accountId}`;
        assert.equal(left.length, 0);
      },
    };
  });
}

export const ACCOUNTS: Record<string, Race> = {
  'two people take each other’s usernames': race({}, async (arena) => {
    const both = [await arena.world.person(), await arena.world.person()];
    const names = both.map(({ accountId }, i) => `name${i}_${accountId.slice(-20).toLowerCase()}`);
    const takes = (person: Person, username: string | undefined) =>
      person.calls('PATCH', '/api/auth/profile', { username });
    for (const [i, person] of both.entries()) expectStatuses([await takes(person, names[i])], 200);
    return {
      works: both.map((person, i) => () => takes(arena.person(i, person), names[1 - i])),
      async check(results) {
        expectStatuses(results, 409, 409);
      },
    };
  }),
  'an address changes in two ways': race({}, async (arena) => {
    const ada = await arena.world.person();
    const addresses = ['one', 'two'].map((name) => addressOf(ada, name));
    return {
      works: addresses.map((address, i) => () => changeEmail(arena.person(i, ada), address)),
      async check(results) {
        expectStatuses(results, 200, 200);
        const { email } = await ada.gets('GET', '/api/auth/profile');
        assert.deepEqual(await addressesOf(arena, ada), [email]);
      },
    };
  }),
  'an account ends while its address changes': race({}, async (arena) => {
    const ada = await arena.world.person();
    return {
      works: [
        () => endAccount(arena.person(0, ada)),
        () => changeEmail(arena.person(1, ada), addressOf(ada, 'new')),
      ],
      async check(results) {
        // The address that confirms the end may have changed before.
        const [ended] = expectStatuses(results, [200, 400], [200, 401]);
        assert.deepEqual(await addressesOf(arena, ada), ended === 200 ? [] : [addressOf(ada, 'new')]);
      },
    };
  }),
  'a session ends while its browser is to be notified': race({}, async (arena) => {
    const ada = await arena.world.person();
    const device = {
      endpoint: 'https://93.184.216.34/push',
      keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
      language: 'en',
    };
    return {
      works: [
        () => arena.world.db.begin((tx) => endSessions(tx, ada.accountId)),
        () => arena.person(1, ada).calls('PUT', '/api/chat/notifications/device', device),
      ],
      async check([, kept]) {
        expectStatuses([kept], [200, 401]);
      },
    };
  }),
  'an account ends while it hides a message': whileItEnds('hidden_messages', (ada, { groupId, msgId }) =>
    ada.calls('POST', `${pathOf({ conversationId: groupId, msgId })}/hide`),
  ),
  'an account ends while it blocks somebody': whileItEnds('contacts', (ada, { bob }) =>
    ada.calls('POST', '/api/chat/blocks', { userId: bob.accountId }),
  ),
  'an account ends while its notifications change': whileItEnds('notification_settings', (ada) =>
    ada.calls('PATCH', '/api/chat/notifications', { hasSound: false }),
  ),
  'an account ends while it enrols for two-factor sign-in': whileItEnds('two_factor_secrets', (ada) =>
    ada.calls('POST', '/api/auth/two-factor/enrol'),
  ),
  'an account ends while it sees a story': whileItEnds('story_views', (ada, { bob, elementId }) =>
    ada.calls('POST', '/api/chat/stories/seen', { userId: bob.accountId, elementId }),
  ),
  'an account ends while somebody writes to it for the first time': race({}, async (arena) => {
    const { world } = arena;
    const [ada, bob] = [await world.person(), await world.person()];
    return {
      works: [
        () => arena.person(0, bob).calls('POST', '/api/chat/messages', text(ada.accountId)),
        () => endAccount(arena.person(1, ada)),
      ],
      async check(results) {
        expectStatuses(results, [201, 404], 200);
        const left = await world.db`
          select from account_conversations where account_id = ${ada.accountId}`;
        assert.equal(left.length, 0);
      },
    };
  }),
};
