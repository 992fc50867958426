import assert from 'node:assert/strict';
import { isId } from '#platform/ids.ts';
import { readAnswer } from '#testing/answers.ts';
import { COMPANY } from '#testing/openid-provider.ts';
import type { World } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Race, race } from '../race.ts';

const PROVIDERS_AT_MOST = 20;

const addProvider = ({ signInProviders, newId }: World) =>
  signInProviders.addProvider({ ...COMPANY, issuer: `https://${newId('idp')}.example.com` }, async () => {});

/** Makes so many providers, and removes others. */
async function keepProviders({ world }: Arena, count: number): Promise<void> {
  const { signInProviders } = world;
  const all = await signInProviders.listProviders();
  for (const { providerId } of all.slice(count))
    await signInProviders.removeProvider(providerId, async () => {});
  for (let missing = count - all.length; missing > 0; missing--) await addProvider(world);
}

export const PROVIDERS: Record<string, Race> = {
  'two operators add the last provider': race({}, async (arena) => {
    await keepProviders(arena, PROVIDERS_AT_MOST - 1);
    return {
      works: arena.servers
        .slice(0, 2)
        .map((server) => () => addProvider(server).catch((error) => error.code)),
      async check(results) {
        assert.equal(results.filter((result) => result === 'resource-exhausted').length, 1);
        assert.equal((await arena.world.signInProviders.listProviders()).length, PROVIDERS_AT_MOST);
      },
    };
  }),
  'a provider changes the first name and the last name of a person': race({}, async (arena) => {
    const { world, servers } = arena;
    await keepProviders(arena, 1);
    const [{ providerId = '' } = {}] = await world.signInProviders.listProviders();
    const token = await world.signInProviders.makeScimToken(providerId, async () => {});
    const calls = async (
      { app }: World,
      method: 'POST' | 'GET' | 'PATCH',
      path: string,
      payload?: object,
    ) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
      const url = `/scim/v2/Users${path}`;
      const answer = await app.inject({
        method,
        url,
        headers,
        ...(payload && { payload: JSON.stringify(payload) }),
      });
      return readAnswer(answer);
    };
    const userName = `${world.newId('usr').toLowerCase()}@example.com`;
    const made = await calls(world, 'POST', '', { userName, name: { formatted: 'Old Name' } });
    assert.ok(isId('usr', made.body.id), JSON.stringify(made.body));
    const replace = (path: string, value: string) => ({ Operations: [{ op: 'replace', path, value }] });
    const changes = [replace('name.givenName', 'Ada'), replace('name.familyName', 'Byron')];
    return {
      works: changes.map(
        (change, i) => () => calls(servers[i] as World, 'PATCH', `/${made.body.id}`, change),
      ),
      async check() {
        const { body } = await calls(world, 'GET', `/${made.body.id}`);
        assert.equal(body.displayName, 'Ada Byron');
      },
    };
  }),
};
