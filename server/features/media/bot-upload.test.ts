import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { UploadedFile } from '#contract/media.ts';
import type { Config } from '#platform/config.ts';
import { invalid, plain, readAnswer, refusal } from '#testing/answers.ts';
import { fileOf } from '#testing/files.ts';
import { upload, uploadScene } from '#testing/upload-scene.ts';
import { eventually } from '#testing/waits.ts';
import type { Bot } from '#testing/world.ts';
import { removeExpired } from '../../workers.ts';

const PUBLIC_URL = 'https://chat.example.com';

type Files = Record<string, [name: string, bytes: Buffer][]>;

async function scene(t: TestContext, config: Partial<Config> = {}) {
  const made = await uploadScene(t, { publicUrl: PUBLIC_URL, ...config });
  const send = async (bot: Bot, files: Files, { query = '', headers = {} } = {}) => {
    const form = new FormData();
    form.append('note', 'ignored');
    for (const [field, given] of Object.entries(files))
      for (const [name, bytes] of given) form.append(field, new Blob([new Uint8Array(bytes)]), name);
    const encoded = new Response(form);
    return made.world.app.inject({
      method: 'POST',
      url: `/v1/uploads${query}`,
      headers: {
        authorization: `Bearer ${bot.key}`,
        'content-type': String(encoded.headers.get('content-type')),
        ...headers,
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
  };
  return {
    ...made,
    send,
    async uploads(bot: Bot, name: string, bytes: Buffer, query = ''): Promise<UploadedFile> {
      const answer = await send(bot, { file: [[name, bytes]] }, { query });
      assert.equal(answer.statusCode, 201, answer.body);
      return answer.json().data;
    },
    refuses: async (bot: Bot, files: Files, query = '') =>
      plain(readAnswer(await send(bot, files, { query }))),
    /** Rows, and bytes of today. */
    async stored() {
      const [row] = await made.world.db`
        select (select count(*) from media)::int as files, coalesce((select sum(bytes) from media_usage), 0)::int as bytes`;
      return row;
    },
  };
}

test('a bot uploads a file and sends it; people see it, and it stays', async (t) => {
  const { world, uploads, get, staged } = await scene(t);
  const [ada, bot, other] = [await world.person('Ada'), await world.bot(), await world.bot()];
  await ada.writes(bot, 'Hello');
  const film = fileOf('mp4', 300_000);
  const sent = await uploads(bot, 'Ein Film.mp4', film);
  assert.match(sent.fileUrl, /^https:\/\/chat\.example\.com\/media\/[A-Za-z0-9_-]{27}\/Ein%20Film\.mp4$/);
  const { fileUrl } = sent;
  assert.deepEqual(sent, {
    type: 'video',
    fileUrl,
    contentType: 'video/mp4',
    fileName: 'Ein Film.mp4',
    size: 300_000,
  });
  assert.deepEqual(await staged(), []);
  const preview = await uploads(bot, 'p.png', fileOf('png'));
  const unsent = await uploads(bot, 'b.png', fileOf('png'));
  const message = { to: ada.accountId, type: 'video', fileUrl, thumbnailUrl: preview.fileUrl };
  assert.equal((await bot.calls('POST', '/v1/messages', message)).status, 201);
  const path = (url: string) => url.slice(PUBLIC_URL.length);
  const [shown] = await ada.reads(bot);
  assert.deepEqual([shown?.fileUrl, shown?.thumbnailUrl], [path(fileUrl), path(preview.fileUrl)]);
  world.clock.advance({ hours: 25 });
  await removeExpired(world);
  const whole = await get(path(fileUrl));
  assert.ok(whole.rawPayload.equals(film));
  assert.equal((await get(path(unsent.fileUrl))).statusCode, 404);
  // Everywhere that the public API takes a file, and from whom it has the link.
  const { groupId } = (
    await bot.calls('POST', '/v1/groups', { name: 'Team', members: [ada.accountId], photoUrl: fileUrl })
  ).body.data;
  const inGroup = { groupId, type: 'image', fileUrl: preview.fileUrl };
  assert.equal((await bot.calls('POST', '/v1/messages/group', inGroup)).status, 201);
  const groups = (await bot.calls('GET', '/v1/groups')).body.data.groups;
  assert.equal(groups[0].photoUrl, fileUrl);
  await ada.writes(other, 'Hello');
  const gone = { to: ada.accountId, type: 'image', fileUrl: unsent.fileUrl };
  assert.deepEqual(
    plain(await other.calls('POST', '/v1/messages', gone)),
    invalid('fileUrl is not an upload of this server'),
  );
});

test('an upload becomes the picture of the bot, and stays', async (t) => {
  const { world, uploads, get } = await scene(t);
  const bot = await world.bot();
  await bot.mayOnly(['messages:send', 'bot:manage']);
  const { fileUrl } = await uploads(bot, 'me.png', fileOf('png'));
  const changed = await bot.calls('PATCH', '/v1/me', { pictureUrl: fileUrl });
  assert.deepEqual([changed.status, changed.body.data.pictureUrl], [200, fileUrl]);
  world.clock.advance({ hours: 25 });
  await removeExpired(world);
  assert.equal((await get(fileUrl.slice(PUBLIC_URL.length))).statusCode, 200);
  const gone = { pictureUrl: fileUrl.replace(/media\/./, 'media/_') };
  assert.deepEqual(
    plain(await bot.calls('PATCH', '/v1/me', gone)),
    invalid('pictureUrl is not an upload of this server'),
  );
});

test('a bot reads what people send it without a credential, until they delete it', async (t) => {
  const { world, get } = await scene(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  const picture = fileOf('png', 2_000);
  const { url } = (await upload(world, ada, 'kind=image&fileName=a.png', picture)).json().data;
  const { msgId, conversationId } = await ada.writes(bot, { type: 'image', fileUrl: url });
  const events = (await bot.calls('GET', '/v1/events')).body.data.events;
  const { fileUrl } = events[0].event.data;
  assert.equal(fileUrl, PUBLIC_URL + url);
  assert.ok((await get(url)).rawPayload.equals(picture));
  // The bot may pass it on: the file is then that of two messages.
  const passedOn = { to: ada.accountId, type: 'image', fileUrl };
  const own = (await bot.calls('POST', '/v1/messages', passedOn)).body.data;
  await ada.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${msgId}`, {});
  assert.equal((await get(url)).statusCode, 200);
  await bot.calls('DELETE', `/v1/messages/${own.msgId}`, { conversationId: ada.accountId });
  assert.equal((await get(url)).statusCode, 404);
});

test('the content decides what a file is sent as, unless the bot says it', async (t) => {
  const { world, uploads, refuses } = await scene(t);
  const bot = await world.bot();
  for (const [file, query, type, contentType] of [
    ['png', '', 'image', 'image/png'],
    ['m4a', '', 'audio', 'audio/mp4'],
    ['mp4', '', 'video', 'video/mp4'],
    ['mp4', '?type=audio', 'audio', 'audio/mp4'],
    ['svg', '', 'doc', 'application/octet-stream'],
    ['png', '?type=doc', 'doc', 'application/octet-stream'],
  ] as const) {
    const uploaded = await uploads(bot, 'x', fileOf(file, 500), query);
    assert.deepEqual([uploaded.type, uploaded.contentType], [type, contentType], file + query);
  }
  const pdf: Files = { file: [['a.pdf', fileOf('pdf')]] };
  assert.deepEqual(
    await refuses(bot, pdf, '?type=image'),
    invalid('type is image, but browsers do not show files of this type'),
  );
  assert.deepEqual(
    await refuses(bot, pdf, '?type=film'),
    invalid('type must be one of: image, video, audio, doc'),
  );
});

test('the file of a refused message goes after a day, also if the key was known', async (t) => {
  const { world, uploads, get } = await scene(t);
  const [ada, bob, bot] = [await world.person('Ada'), await world.person('Bob'), await world.bot()];
  await ada.writes(bot, 'Hello');
  const { fileUrl } = await uploads(bot, 'p.png', fileOf('png'));
  const sends = async (to: string, content: object) =>
    (await bot.calls('POST', '/v1/messages', { to, ...content })).status;
  assert.equal(await sends(ada.accountId, { type: 'text', content: 'Hi' }), 201);
  assert.equal(await sends(bob.accountId, { type: 'image', fileUrl }), 400, 'he never wrote to the bot');
  world.clock.advance({ hours: 25 });
  await removeExpired(world);
  assert.equal((await get(fileUrl.slice(PUBLIC_URL.length))).statusCode, 404);
});

test('what is no file, or too large, or not allowed is refused, and stores nothing', async (t) => {
  const { world, send, refuses, staged, stored } = await scene(t, { uploadMegabytesPerDay: 30 });
  const [bot, mute] = [await world.bot(), await world.bot()];
  const png: [string, Buffer] = ['a.png', fileOf('png')];
  assert.deepEqual(await refuses(bot, {}), invalid('file is required'));
  assert.deepEqual(await refuses(bot, { file: [png, png] }), invalid('file is given more than once'));
  assert.deepEqual(await refuses(bot, { photo: [png] }), invalid('photo is not a field of this request'));
  assert.deepEqual(await refuses(bot, { file: [['a.png', Buffer.alloc(0)]] }), invalid('file is empty'));
  const tooLarge = (bytes: number) => refusal(413, 'invalid-argument', `file is larger than ${bytes} bytes`);
  const large: Files = { file: [['a.png', fileOf('png', 10 * 1024 * 1024 + 1)]] };
  assert.deepEqual(await refuses(bot, large), tooLarge(10 * 1024 * 1024));
  const huge = await send(bot, { file: [png] }, { headers: { 'content-length': '53000000' } });
  assert.deepEqual(plain(readAnswer(huge)), tooLarge(50 * 1024 * 1024));
  const json = await bot.calls('POST', '/v1/uploads', { file: 'x' });
  assert.deepEqual(plain(json), refusal(415, 'invalid-argument', 'Content-Type must be multipart/form-data'));
  await mute.mayOnly(['groups:manage']);
  assert.equal((await refuses(mute, { file: [png] })).status, 403);
  // A refused file may be removed a moment after the answer.
  await eventually(async () => (await staged()).length === 0);
  assert.deepEqual(await stored(), { files: 0, bytes: 0 });
  const film: Files = { file: [['a.mp4', fileOf('mp4', 20 * 1024 * 1024)]] };
  assert.equal((await send(bot, film)).statusCode, 201);
  const full = await send(bot, film);
  assert.deepEqual(
    plain(readAnswer(full)),
    refusal(429, 'resource-exhausted', 'this would exceed what you may upload in a day'),
  );
  assert.equal((await send(await world.bot(), film)).statusCode, 201, 'each bot has a quota of its own');
});

test('an upload that breaks off leaves nothing, and the next one on its connection works', async (t) => {
  const { world, staged, stored } = await scene(t);
  const bot = await world.bot();
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as { port: number };
  const headers = {
    authorization: `Bearer ${bot.key}`,
    'content-type': 'multipart/form-data; boundary=xyz',
    'content-length': '100000',
  };
  const breaking = httpRequest({ port, host: '127.0.0.1', path: '/v1/uploads', method: 'POST', headers });
  breaking.on('error', () => undefined);
  breaking.write('--xyz\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello');
  await eventually(async () => (await staged().catch(() => [])).length === 1);
  breaking.destroy();
  await eventually(async () => (await staged()).length === 0);
  await eventually(async () => (await stored())?.['bytes'] === 0);
  assert.deepEqual(await stored(), { files: 0, bytes: 0 });
  const send = (...names: string[]) => {
    const body = new FormData();
    for (const name of names) body.append('file', new Blob([new Uint8Array(3_000_000)]), name);
    const { authorization } = headers;
    return fetch(`http://127.0.0.1:${port}/v1/uploads`, { method: 'POST', headers: { authorization }, body });
  };
  const refused = await send('one', 'two');
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /file is given more than once/);
  assert.equal((await send('one')).status, 201);
});

test('links of a server without https begin with https:// all the same, and are sent', async (t) => {
  const { world, uploads } = await scene(t, { publicUrl: undefined });
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  await ada.writes(bot, 'Hello');
  const { fileUrl } = await uploads(bot, 'a.png', fileOf('png'));
  assert.match(fileUrl, /^https:\/\/localhost:3000\/media\//);
  const sent = await bot.calls('POST', '/v1/messages', { to: ada.accountId, type: 'image', fileUrl });
  assert.equal(sent.status, 201);
  const [shown] = await ada.reads(bot);
  assert.equal(shown?.fileUrl, new URL(fileUrl).pathname);
});
