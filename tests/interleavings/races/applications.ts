import assert from 'node:assert/strict';
import { LIMITS } from '#contract/limits.ts';
import { endTeam, leaveTeams } from '#features/applications/team/team.ts';
import type { Person, World } from '#testing/world.ts';
import { type Race, race } from '../race.ts';
import { expectWinners } from './scenes.ts';

const invite = (owner: Person, appId: string): Promise<{ token: string }> =>
  owner.gets('POST', `/api/console/applications/${appId}/team/invitations`, { role: 'viewer' });

export const APPLICATIONS: Record<string, Race> = {
  'the 20th application': race(
    {
      'the lock of the account': [
        [/(select deleted_at from accounts where account_id = \$1) for no key update/, '$1'],
      ],
    },
    async (arena) => {
      const { world } = arena;
      const ada = await world.person();
      await world.db`
      insert into account_applications (account_id, app_id, created_at)
      select ${ada.accountId}, ${ada.accountId} || i, 0
      from generate_series(2, ${LIMITS.applicationsPerAccount}::integer) as i`;
      return {
        works: [0, 1].map(
          (server) => () =>
            arena.person(server, ada).calls('POST', '/api/console/applications', { name: 'Weather' }),
        ),
        async check(results) {
          expectWinners(results, 1, 429);
        },
      };
    },
  ),
  'two bots of one name': race(
    { 'the name is left to its owner': [[/on conflict do nothing (returning owner_id)/, '$1']] },
    async (arena) => {
      const { world } = arena;
      const [ada, bob] = [await world.person(), await world.person()];
      const username = `weather_${ada.accountId.slice(-20).toLowerCase()}_bot`;
      const owned = [
        { person: ada, ...(await ada.creates('Weather')) },
        { person: bob, ...(await bob.creates('Weather')) },
      ];
      return {
        works: owned.map(
          ({ person, appId }, i) =>
            () =>
              arena.person(i, person).calls('POST', `/api/console/applications/${appId}/bot`, { username }),
        ),
        async check(results) {
          expectWinners(results, 1, 409);
        },
      };
    },
  ),
  'two bots of one application': race({}, async (arena) => {
    const ada = await arena.world.person();
    const { appId } = await ada.creates('Weather');
    const name = ada.accountId.slice(-20).toLowerCase();
    return {
      works: [0, 1].map(
        (server) => () =>
          arena.person(server, ada).calls('POST', `/api/console/applications/${appId}/bot`, {
            username: `w${server}_${name}_bot`,
          }),
      ),
      async check(results) {
        expectWinners(results, 1, 409);
      },
    };
  }),
  'an invitation to a team used once': race({}, async (arena) => {
    const { world } = arena;
    const [ada, bob, cyd] = [await world.person(), await world.person(), await world.person()];
    const { appId } = await ada.creates('Weather');
    const { token } = await invite(ada, appId);
    return {
      works: [bob, cyd].map(
        (one, i) => () => arena.person(i, one).calls('POST', '/api/console/invitations/accept', { token }),
      ),
      async check(results) {
        expectWinners(results, 1, 404);
      },
    };
  }),
  'a team ends while one of it leaves': race({}, async (arena) => {
    const { world } = arena;
    const [first, second] = arena.servers as [World, World];
    const [ada, bob] = [await world.person(), await world.person()];
    const { appId } = await ada.creates('Weather');
    await bob.gets('POST', '/api/console/invitations/accept', await invite(ada, appId));
    return {
      works: [
        () => first.db.begin((tx) => endTeam(tx, appId)),
        () => second.db.begin((tx) => leaveTeams(tx, bob.accountId)),
      ],
      async check() {
        const left = await world.db`
          select from teammates where app_id = ${appId}
          union all select from account_teams where account_id = ${bob.accountId}`;
        assert.equal(left.length, 0);
      },
    };
  }),
};
