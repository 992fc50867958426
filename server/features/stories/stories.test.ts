import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createActingApp } from '#testing/acting-app.ts';
import { denied, invalid, missing, plain, success } from '#testing/answers.ts';
import { asUser } from '#testing/group-scene.ts';
import { createWorldFor, type Person } from '#testing/world.ts';

const HOURS_24 = { hours: 24 };
const IMAGE = { type: 'image', imageUrl: 'https://cdn.example.com/a.png' };
const VIDEO = { type: 'video', videoUrl: 'https://cdn.example.com/a.mp4' };
const TEXT = { type: 'text', text: 'hello' };

/** An address of exactly `length` characters, including `https://`. */
function urlOf(length: number): string {
  return 'https://cdn.example.com/'.padEnd(length, 'a');
}

async function scene(t: TestContext, storyLifetimeHours = 24) {
  const world = await createWorldFor(t, { storyLifetimeHours });
  const app = await createActingApp(world, world.routes);
  t.after(() => app[Symbol.asyncDispose]());
  type Method = 'GET' | 'POST' | 'DELETE';
  const acts = async (person: Person, method: Method, path: string, body?: object, headers = {}) =>
    plain(await app.calls(asUser(person), method, `/v1/stories${path}`, body, headers));
  return {
    world,
    adds: (person: Person, body: object, headers?: object) => acts(person, 'POST', '', body, headers),
    mine: (person: Person) => acts(person, 'GET', '/mine'),
    deletes: (person: Person, body: object) => acts(person, 'DELETE', '/delete', body),
    async countRows() {
      const [row] = await world.db`
        select (select count(*)::integer from stories) as stories,
          (select count(*)::integer from story_elements) as elements,
          (select count(*)::integer from unique_names where kind = 'story') as names`;
      return { ...row };
    },
  };
}

test('elements of every type join one story, which its owner reads', async (t) => {
  const s = await scene(t);
  const { world } = s;
  const ada = await world.person();
  const first = await s.adds(ada, TEXT);
  const { storyId } = first.body.data;
  assert.match(storyId, /^sty_[0-9a-z]{24}$/);
  const beganAt = world.clock.now();
  assert.deepEqual(first, {
    status: 201,
    body: success('story published', { storyId }, beganAt),
  });
  world.clock.advance({ minutes: 1 });
  for (const element of [
    IMAGE,
    VIDEO,
    { ...VIDEO, thumbnailUrl: IMAGE.imageUrl },
    { ...TEXT, text: ' second ' },
  ]) {
    assert.equal((await s.adds(ada, element)).body.data.storyId, storyId);
  }
  const answer = await s.mine(ada);
  const [story] = answer.body.data;
  const ids = [...story.texts, ...story.images, ...story.videos].map(({ id }) => id);
  assert.equal(new Set(ids).size, 5);
  const now = world.clock.now();
  const shown = {
    storyId,
    texts: [
      { id: ids[0], text: 'hello', createdAt: beganAt },
      { id: ids[1], text: ' second ', createdAt: now },
    ],
    images: [{ id: ids[2], imageUrl: IMAGE.imageUrl, createdAt: now }],
    videos: [
      { id: ids[3], videoUrl: VIDEO.videoUrl, createdAt: now },
      { id: ids[4], videoUrl: VIDEO.videoUrl, thumbnailUrl: IMAGE.imageUrl, createdAt: now },
    ],
  };
  assert.deepEqual(answer, { status: 200, body: success('your stories', [shown], now) });
  const bob = await world.person();
  assert.deepEqual((await s.mine(bob)).body.data, []);
});

test('fields by type: required, not used, wrong type', async (t) => {
  const s = await scene(t);
  const ada = await s.world.person();
  const url = 'https://cdn.example.com/a';
  const refused: [object, string][] = [
    [{}, 'type is required'],
    [{ type: 'audio', text: 'x' }, 'type must be one of: text, image, video'],
    [{ type: 'text' }, 'text is required'],
    [{ type: 'text', text: null }, 'text must be of type string'],
    [{ type: 'text', text: 12 }, 'text must be of type string'],
    [{ type: 'image' }, 'imageUrl is required'],
    [{ type: 'video', thumbnailUrl: url }, 'videoUrl is required'],
    [{ ...TEXT, imageUrl: url }, 'imageUrl is not used by this type'],
    [{ ...TEXT, videoUrl: url }, 'videoUrl is not used by this type'],
    [{ ...TEXT, thumbnailUrl: url }, 'thumbnailUrl is not used by this type'],
    [{ ...IMAGE, text: 'x' }, 'text is not used by this type'],
    [{ ...IMAGE, videoUrl: url }, 'videoUrl is not used by this type'],
    [{ ...IMAGE, thumbnailUrl: url }, 'thumbnailUrl is not used by this type'],
    [{ ...VIDEO, text: 'x' }, 'text is not used by this type'],
    [{ ...VIDEO, imageUrl: url }, 'imageUrl is not used by this type'],
    [{ ...VIDEO, thumbnailUrl: 12 }, 'thumbnailUrl must be of type string'],
  ];
  for (const [body, message] of refused) {
    assert.deepEqual(await s.adds(ada, body), invalid(message), JSON.stringify(body));
  }
  for (const body of [
    { ...TEXT, imageUrl: null, videoUrl: null, thumbnailUrl: null, caption: 'ignored' },
    { ...VIDEO, text: null, thumbnailUrl: null },
  ]) {
    assert.equal((await s.adds(ada, body)).status, 201);
  }
});

test('text and URLs: boundaries on both sides', async (t) => {
  const s = await scene(t);
  const ada = await s.world.person();
  for (const body of [
    { ...TEXT, text: '😀'.repeat(1000) },
    { type: 'image', imageUrl: urlOf(2048) },
    { type: 'video', videoUrl: urlOf(2048), thumbnailUrl: urlOf(2048) },
  ]) {
    assert.equal((await s.adds(ada, body)).status, 201);
  }
  const tooLong = (field: string) => `${field} must have at most 2048 characters`;
  const refused: [object, string][] = [
    [{ ...TEXT, text: 'a'.repeat(1001) }, 'text must have at most 1000 characters'],
    [{ ...TEXT, text: '' }, 'text must have at least 1 character'],
    [{ ...TEXT, text: ' \u2003\n' }, 'text must not be blank'],
    [{ type: 'image', imageUrl: urlOf(2049) }, tooLong('imageUrl')],
    [{ type: 'video', videoUrl: urlOf(2049) }, tooLong('videoUrl')],
    [{ ...VIDEO, thumbnailUrl: urlOf(2049) }, tooLong('thumbnailUrl')],
    [{ type: 'image', imageUrl: 'http://cdn.example.com/a' }, 'imageUrl must begin with https://'],
  ];
  for (const [body, message] of refused) assert.deepEqual(await s.adds(ada, body), invalid(message));
  const address = 'https://127.0.0.1/a';
  for (const [field, body] of [
    ['imageUrl', { type: 'image', imageUrl: address }],
    ['videoUrl', { type: 'video', videoUrl: address }],
    ['thumbnailUrl', { ...VIDEO, thumbnailUrl: address }],
  ] as const) {
    const { status, body: answer } = await s.adds(ada, body);
    assert.equal(status, 400);
    assert.ok(answer.message.startsWith(`${field} must `), answer.message);
  }
});

test('a story ends 24 h after its first element; the next element begins a new one', async (t) => {
  const s = await scene(t);
  const { clock } = s.world;
  const ada = await s.world.person();
  const { storyId } = (await s.adds(ada, TEXT)).body.data;
  clock.advance({ hours: 12 });
  await s.adds(ada, IMAGE);
  clock.advance({ hours: 11, minutes: 59, seconds: 59, milliseconds: 999 });
  assert.equal((await s.adds(ada, TEXT)).body.data.storyId, storyId);
  assert.equal((await s.mine(ada)).body.data.length, 1);
  clock.advance({ milliseconds: 1 });
  assert.deepEqual((await s.mine(ada)).body.data, []);
  assert.deepEqual(await s.deletes(ada, { storyId }), missing('no story has the id in `storyId`'));
  const next = (await s.adds(ada, VIDEO)).body.data.storyId;
  assert.notEqual(next, storyId);
  const [story] = (await s.mine(ada)).body.data;
  assert.deepEqual([story.texts.length, story.images.length, story.videos.length], [0, 0, 1]);
  assert.deepEqual(await s.countRows(), { stories: 1, elements: 1, names: 1 });
});

test('with STORY_LIFETIME_HOURS 0 a story never ends', async (t) => {
  const s = await scene(t, 0);
  const ada = await s.world.person();
  const { storyId } = (await s.adds(ada, TEXT)).body.data;
  s.world.clock.advance({ days: 10_000 });
  await s.world.stories.removeExpired({ limit: 10 });
  assert.equal((await s.adds(ada, TEXT)).body.data.storyId, storyId);
});

test('the worker removes only ended stories, with their elements, names and who has seen them', async (t) => {
  const s = await scene(t);
  const { clock } = s.world;
  const people = await Promise.all(Array.from({ length: 3 }, () => s.world.person()));
  for (const person of people) {
    await s.adds(person, TEXT);
    await s.adds(person, IMAGE);
  }
  clock.advance({ minutes: 1 });
  const late = await s.world.person();
  await s.adds(late, TEXT);
  for (const [seen, by] of [
    [people[0], late],
    [late, people[0]],
  ] as const)
    await s.world.db`
      insert into story_views (account_id, owner_id, element_id)
      values (${by?.accountId ?? ''}, ${seen?.accountId ?? ''}, 'elm_0')`;
  clock.advance({ ...HOURS_24, minutes: -1, milliseconds: -1 });
  await s.world.stories.removeExpired({ limit: 10 });
  assert.deepEqual(await s.countRows(), { stories: 4, elements: 7, names: 4 });
  clock.advance({ milliseconds: 1 });
  await s.world.stories.removeExpired({ limit: 2 });
  assert.deepEqual(await s.countRows(), { stories: 2, elements: 3, names: 2 });
  await s.world.stories.removeExpired({ limit: 2 });
  assert.deepEqual(await s.countRows(), { stories: 1, elements: 1, names: 1 });
  await s.world.stories.removeExpired({ limit: 2 });
  assert.deepEqual(await s.countRows(), { stories: 1, elements: 1, names: 1 });
  assert.equal((await s.mine(late)).body.data.length, 1);
  const views = await s.world.db<{ ownerId: string }[]>`select owner_id from story_views`;
  assert.deepEqual(
    views.map(({ ownerId }) => ownerId),
    [late.accountId],
  );
});

test('deleting: one’s own story 200, another person’s 403, unknown or deleted 404', async (t) => {
  const s = await scene(t);
  const [ada, bob] = await s.world.people('Ada', 'Ada');
  const { storyId } = (await s.adds(ada, TEXT)).body.data;
  const unknown = missing('no story has the id in `storyId`');
  assert.deepEqual(
    await s.deletes(bob, { storyId }),
    denied('the story with the id in `storyId` is not yours'),
  );
  assert.deepEqual(await s.deletes(ada, { storyId: s.world.newId('sty') }), unknown);
  assert.deepEqual(await s.deletes(ada, { storyId: 'nonsense' }), unknown);
  assert.deepEqual(await s.deletes(ada, {}), invalid('storyId is required'));
  assert.deepEqual(await s.deletes(ada, { storyId: 12 }), invalid('storyId must be of type string'));
  assert.deepEqual(await s.deletes(ada, { storyId }), {
    status: 200,
    body: success('story deleted', { deleted: true }, s.world.clock.now()),
  });
  assert.deepEqual(await s.deletes(ada, { storyId }), unknown);
  assert.deepEqual(await s.deletes(bob, { storyId }), unknown);
  assert.deepEqual((await s.mine(ada)).body.data, []);
  assert.deepEqual(await s.countRows(), { stories: 0, elements: 0, names: 0 });
  s.world.clock.advance(HOURS_24);
  assert.deepEqual(await s.deletes(bob, { storyId }), unknown);
});

test('100 parallel adds create one story, also when the previous one has just ended', async (t) => {
  const s = await scene(t);
  const ada = await s.world.person();
  const seen = new Set<string>();
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => s.adds(ada, TEXT)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    const storyIds = new Set(answers.map(({ body }) => body.data.storyId));
    assert.equal(storyIds.size, 1);
    for (const storyId of storyIds) seen.add(storyId);
    assert.equal((await s.mine(ada)).body.data[0].texts.length, 100);
    assert.deepEqual(await s.countRows(), { stories: 1, elements: 100, names: 1 });
    s.world.clock.advance(HOURS_24);
  }
  assert.equal(seen.size, 2);
});

test('of 20 parallel deletions one succeeds', async (t) => {
  const s = await scene(t);
  const ada = await s.world.person();
  const { storyId } = (await s.adds(ada, TEXT)).body.data;
  const answers = await Promise.all(Array.from({ length: 20 }, () => s.deletes(ada, { storyId })));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(19).fill(404)]);
});

test('50 parallel adds with one Idempotency-Key add one element', async (t) => {
  const s = await scene(t);
  const ada = await s.world.person();
  const headers = { 'idempotency-key': 'once' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => s.adds(ada, TEXT, headers)));
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size, 1);
  assert.deepEqual(await s.countRows(), { stories: 1, elements: 1, names: 1 });
});

test('the database contains no plain text of a story', async (t) => {
  const s = await scene(t);
  const ada = await s.world.person();
  await s.adds(ada, { ...TEXT, text: 'canary-4711' });
  await s.adds(ada, { type: 'image', imageUrl: 'https://cdn.example.com/canary-4711.png' });
  const rows = await s.world.db`select encode(body, 'escape') as body from story_elements`;
  assert.equal(rows.length, 2);
  assert.ok(rows.every(({ body }) => !String(body).includes('canary')));
});
