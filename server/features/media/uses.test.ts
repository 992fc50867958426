import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileOf } from '#testing/files.ts';
import { uploadScene } from '#testing/upload-scene.ts';
import type { Bot, Person } from '#testing/world.ts';
import { removeExpired } from '../../workers.ts';

type Scene = Awaited<ReturnType<typeof uploadScene>>;
type Method = Parameters<Person['calls']>[0];
type Ends = () => Promise<unknown>;

/** A request that succeeds; returns its data. */
async function does(person: Person, method: Method, url: string, body?: object) {
  const answer = await person.calls(method, url, body);
  assert.ok(answer.status < 300, `${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

async function deletesAccount(person: Person): Promise<void> {
  const { email } = await does(person, 'GET', '/api/auth/profile');
  await does(person, 'POST', '/api/auth/account/delete', { email });
}

async function tellsStory(person: Person, url: string): Promise<string> {
  const { storyId } = await does(person, 'POST', '/api/chat/stories', { type: 'image', imageUrl: url });
  return storyId;
}

async function makesGroup(person: Person, photoUrl: string): Promise<string> {
  const { groupId } = await does(person, 'POST', '/api/chat/groups', { name: 'Tea', photoUrl });
  return groupId;
}

async function showsAsBot(world: Scene['world'], owner: Person, pictureUrl: string): Promise<Bot> {
  const bot = await world.bot({ name: 'Helper', owner });
  await does(owner, 'PATCH', `/api/console/applications/${bot.appId}/bot`, { pictureUrl });
  return bot;
}

/** Each begins to use an upload, and returns what ends that. */
const USES: Record<string, (scene: Scene, ada: Person, url: string) => Promise<Ends>> = {
  async 'a profile whose picture is replaced'({ uploads }, ada, pictureUrl) {
    await does(ada, 'PATCH', '/api/auth/profile', { pictureUrl });
    const { url } = await uploads(ada, 'kind=image&fileName=new.png', fileOf('png', 4_000));
    return () => does(ada, 'PATCH', '/api/auth/profile', { pictureUrl: url });
  },
  async 'a profile whose picture is removed'(_, ada, pictureUrl) {
    await does(ada, 'PATCH', '/api/auth/profile', { pictureUrl });
    return () => does(ada, 'PATCH', '/api/auth/profile', { pictureUrl: null });
  },
  async 'an account with a picture that is deleted'(_, ada, pictureUrl) {
    await does(ada, 'PATCH', '/api/auth/profile', { pictureUrl });
    return () => deletesAccount(ada);
  },
  async 'a group whose photo is removed'(_, ada, url) {
    const groupId = await makesGroup(ada, url);
    return () => does(ada, 'PATCH', '/api/chat/groups/details', { groupId, photoUrl: null });
  },
  async 'a group that is deleted'(_, ada, url) {
    const groupId = await makesGroup(ada, url);
    return () => does(ada, 'DELETE', '/api/chat/groups/delete', { groupId });
  },
  async 'a group that its last member leaves'(_, ada, url) {
    await makesGroup(ada, url);
    return () => deletesAccount(ada);
  },
  async 'a bot whose picture is removed'({ world }, ada, url) {
    const { appId } = await showsAsBot(world, ada, url);
    return () => does(ada, 'PATCH', `/api/console/applications/${appId}/bot`, { pictureUrl: null });
  },
  async 'a bot that is deleted'({ world }, ada, url) {
    const bot = await showsAsBot(world, ada, url);
    return () => bot.deleted();
  },
  async 'a story that is deleted'(_, ada, url) {
    const storyId = await tellsStory(ada, url);
    return () => does(ada, 'DELETE', '/api/chat/stories', { storyId });
  },
  async 'a story that has ended'({ world }, ada, url) {
    await tellsStory(ada, url);
    return async () => world.clock.advance({ days: 1 });
  },
  async 'a story that the next one follows'({ world }, ada, url) {
    await tellsStory(ada, url);
    return async () => {
      world.clock.advance({ days: 1 });
      await does(ada, 'POST', '/api/chat/stories', { type: 'text', text: 'the next day' });
    };
  },
  async 'a story whose author deletes the account'(_, ada, url) {
    await tellsStory(ada, url);
    return () => deletesAccount(ada);
  },
};

for (const [what, use] of Object.entries(USES))
  test(`an upload is removed with its last use: ${what}`, async (t) => {
    const scene = await uploadScene(t);
    const { world, uploads, get } = scene;
    const ada = await world.person('Ada');
    const { url } = await uploads(ada, 'kind=image&fileName=cat.png', fileOf('png', 2_000));
    const end = await use(scene, ada, url);
    await removeExpired(world);
    assert.equal((await get(url)).statusCode, 200, 'while it is used');
    await end();
    await removeExpired(world);
    assert.equal((await get(url)).statusCode, 404);
  });

test('a file that something else uses stays', async (t) => {
  const { world, uploads, get } = await uploadScene(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const { url } = await uploads(ada, 'kind=image&fileName=cat.png', fileOf('png', 2_000));
  await does(ada, 'POST', '/api/chat/messages', { to: bob.accountId, type: 'image', fileUrl: url });
  const storyId = await tellsStory(ada, url);
  await does(ada, 'PATCH', '/api/auth/profile', { pictureUrl: url });
  await does(ada, 'PATCH', '/api/auth/profile', { pictureUrl: url });
  await does(ada, 'DELETE', '/api/chat/stories', { storyId });
  await does(ada, 'PATCH', '/api/auth/profile', { pictureUrl: null });
  await deletesAccount(ada);
  await removeExpired(world);
  assert.equal((await get(url)).statusCode, 200);
});

/** Each is refused after it has claimed an upload. */
const REFUSALS: Record<
  string,
  (scene: Scene, ada: Person, url: string) => Promise<Parameters<Person['calls']>>
> = {
  async 'a message to somebody who blocks its author'({ world }, ada, fileUrl) {
    const bob = await world.person('Bob');
    await bob.blocks(ada);
    return ['POST', '/api/chat/messages', { to: bob.accountId, type: 'image', fileUrl }];
  },
  async 'a message whose second file is unknown'({ world }, _, fileUrl) {
    const { accountId: to } = await world.person('Bob');
    const thumbnailUrl = `/media/${'x'.repeat(27)}/x.png`;
    return ['POST', '/api/chat/messages', { to, type: 'video', fileUrl, thumbnailUrl }];
  },
  async 'the photo of a group of others'({ world }, _, photoUrl) {
    const { groupId } = await does(await world.person('Bob'), 'POST', '/api/chat/groups', { name: 'Tea' });
    return ['PATCH', '/api/chat/groups/details', { groupId, photoUrl }];
  },
  async 'a profile whose username is taken'({ world }, _, pictureUrl) {
    await does(await world.person('Bob'), 'PATCH', '/api/auth/profile', { username: 'taken' });
    return ['PATCH', '/api/auth/profile', { pictureUrl, username: 'taken' }];
  },
};

for (const [what, prepare] of Object.entries(REFUSALS))
  test(`a refused request leaves no use of an upload: ${what}`, async (t) => {
    const scene = await uploadScene(t);
    const { world, uploads, get } = scene;
    const ada = await world.person('Ada');
    const { url } = await uploads(ada, 'kind=image&fileName=cat.png', fileOf('png', 2_000));
    const request = await prepare(scene, ada, url);
    const { status } = await ada.calls(...request);
    assert.ok(status >= 400 && status < 500, `${status}`);
    await removeExpired(world);
    assert.equal((await get(url)).statusCode, 200, 'it can be tried again');
    world.clock.advance({ days: 1 });
    await removeExpired(world);
    assert.equal((await get(url)).statusCode, 404);
  });

test('a refused request takes back only its own claim', async (t) => {
  const { world, uploads, get } = await uploadScene(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const { url: pictureUrl } = await uploads(ada, 'kind=image&fileName=cat.png', fileOf('png', 2_000));
  await does(bob, 'PATCH', '/api/auth/profile', { username: 'taken' });
  await does(ada, 'PATCH', '/api/auth/profile', { pictureUrl });
  for (let i = 0; i < 2; i++) {
    const { status } = await ada.calls('PATCH', '/api/auth/profile', { pictureUrl, username: 'taken' });
    assert.equal(status, 409);
  }
  world.clock.advance({ days: 1 });
  await removeExpired(world);
  assert.equal((await get(pictureUrl)).statusCode, 200);
});

test('an upgrade removes the uploads whose uses ended earlier, and keeps those in use', async (t) => {
  const scene = await uploadScene(t);
  const { world, uploads, get } = scene;
  const ada = await world.person('Ada');
  const bot = await world.bot({ name: 'Helper', owner: ada });
  const groupId = await makesGroup(ada, 'https://example.com/tea.png');
  const urls = new Map<string, string>();
  for (const what of ['elm_01m7yzmhg0036x41avwh58q6', ada.accountId, bot.appId, groupId]) {
    const { url } = await uploads(ada, 'kind=image&fileName=old.png', fileOf('png', 2_000));
    urls.set(what, url);
    await world.db`
      update media set used_at = 0, is_counted = true where media_id = ${url.split('/')[2] as string}`;
    await world.db`insert into media_uses (media_id, used_by) values (${url.split('/')[2] as string}, ${what})`;
  }
  const used: string[] = [];
  for (const use of [
    'a profile whose picture is removed',
    'a group that is deleted',
    'a bot that is deleted',
  ]) {
    const { url } = await uploads(ada, 'kind=image&fileName=new.png', fileOf('png', 2_000));
    await USES[use]?.(scene, ada, url);
    used.push(url);
  }
  const { url: inStory } = await uploads(ada, 'kind=image&fileName=new.png', fileOf('png', 2_000));
  await tellsStory(ada, inStory);
  await world.db`update media set used_at = 0`;
  await world.db.unsafe(
    await readFile(new URL('../../migrations/0154_ended_uses.sql', import.meta.url), 'utf8'),
  );
  await removeExpired(world);
  for (const [what, url] of urls) assert.equal((await get(url)).statusCode, 404, what);
  for (const url of [...used, inStory]) assert.equal((await get(url)).statusCode, 200);
});
