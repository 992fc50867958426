import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { failure, invalid, plain, readAnswer, refusal } from '#testing/answers.ts';
import { damage } from '#testing/damage.ts';
import { fileOf } from '#testing/files.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { type S3Server, startS3Server } from '#testing/s3-server.ts';
import { uploadScene } from '#testing/upload-scene.ts';
import type { World } from '#testing/world.ts';
import { removeExpired } from '../../workers.ts';

const rowsOf = async ({ db }: World) => (await db`select from media`).length;

const refused = (answer: LightMyRequestResponse) => plain(readAnswer(answer));

const NOT_SHOWN = invalid('kind is image, but browsers do not show files of this type');

for (const where of ['the data directory', 'an S3-compatible store'] as const) {
  test(`an upload is kept in ${where} and served unchanged, whole and in parts`, async (t) => {
    let s3: S3Server | undefined;
    if (where === 'an S3-compatible store') {
      const started = await startS3Server();
      t.after(() => started[Symbol.asyncDispose]());
      s3 = started;
    }
    const { world, uploads, get, staged } = await uploadScene(t, s3 && { s3: s3.config });
    const ada = await world.person('Ada');
    const file = fileOf('mp4', 300_000);
    const media = await uploads(ada, 'kind=video&fileName=Ein%20Film%20%C3%BCber%20uns.mp4', file);
    assert.match(media.url, /^\/media\/[A-Za-z0-9_-]{27}\/Ein%20Film%20%C3%BCber%20uns\.mp4$/);
    assert.deepEqual(media, {
      url: media.url,
      kind: 'video',
      contentType: 'video/mp4',
      fileName: 'Ein Film über uns.mp4',
      size: 300_000,
    });
    assert.deepEqual(await staged(), []);
    const whole = await get(media.url);
    assert.equal(whole.statusCode, 200);
    assert.ok(whole.rawPayload.equals(file));
    const { headers } = whole;
    assert.equal(headers['content-type'], 'video/mp4');
    assert.equal(headers['content-length'], '300000');
    assert.equal(headers['content-disposition'], "inline; filename*=UTF-8''Ein%20Film%20%C3%BCber%20uns.mp4");
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; media-src 'self'; sandbox allow-same-origin; frame-ancestors 'none'",
    );
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    const parts = {
      'bytes=0-9': [0, 9],
      'bytes=299990-': [299_990, 299_999],
      'bytes=-5': [299_995, 299_999],
      'bytes=299999-999999999': [299_999, 299_999],
    };
    for (const [range, [start = 0, end = 0]] of Object.entries(parts)) {
      const part = await get(media.url, { range });
      assert.equal(part.statusCode, 206, range);
      assert.equal(part.headers['content-range'], `bytes ${start}-${end}/300000`);
      assert.ok(part.rawPayload.equals(file.subarray(start, end + 1)), range);
    }
    assert.equal((await get(media.url, { range: 'bytes=0-1,3-4' })).statusCode, 200);
    const beyond = await get(media.url, { range: 'bytes=300000-' });
    assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, 'bytes */300000']);
    const etag = String(headers['etag']);
    for (const known of [etag, `"another", W/${etag}`])
      assert.equal((await get(media.url, { 'if-none-match': known })).statusCode, 304);
    const changed = await get(media.url, { range: 'bytes=0-9', 'if-range': '"another"' });
    assert.equal(changed.statusCode, 200);
    const range = { range: 'bytes=0-9' };
    const head = await world.app.inject({ method: 'HEAD', url: media.url, headers: range });
    assert.deepEqual([head.statusCode, head.headers['content-length'], head.body], [200, '300000', '']);
    assert.deepEqual(s3?.refusals ?? [], []);
  });
}

test('files and folders of uploads are closed to other users of the machine', async (t) => {
  const { world, mediaDir, uploads } = await uploadScene(t);
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  await uploads(await world.person('Ada'), 'kind=image&fileName=a.png', fileOf('png'));
  for (const entry of await readdir(mediaDir, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name);
  }
});

test('nothing is acknowledged before the S3 store accepts it, and its errors are not disclosed', async (t) => {
  await using s3 = await startS3Server();
  const { world, upload, get, staged } = await uploadScene(t, { s3: s3.config });
  const ada = await world.person('Ada');
  const refusing = await uploadScene(t, { s3: { ...s3.config, secretAccessKey: 'wrong' } });
  const eve = await refusing.world.person('Eve');
  const wrong = await refusing.upload(eve, 'kind=image&fileName=a.png', fileOf('png'));
  assert.equal(wrong.statusCode, 503);
  assert.doesNotMatch(wrong.body, /S3|Signature/);
  assert.ok(s3.refusals.every((fault) => fault === 'SignatureDoesNotMatch') && s3.refusals.length > 0);
  const { url } = (await upload(ada, 'kind=image&fileName=a.png', fileOf('png'))).json().data;
  s3.objects.clear();
  const missing = await get(url);
  assert.equal(missing.statusCode, 404);
  await s3[Symbol.asyncDispose]();
  const away = failure('INTERNAL_ERROR', 'the storage of uploads does not respond; try again');
  for (const answer of [await get(url), await upload(ada, 'kind=image&fileName=b.png', fileOf('png'))]) {
    assert.deepEqual(refused(answer), { status: 503, body: away });
  }
  // Otherwise browsers and proxies would keep the error for as long as the file.
  for (const { headers } of [missing, await get(url, { range: 'bytes=0-9' })])
    for (const header of ['cache-control', 'etag', 'content-disposition', 'content-range'])
      assert.equal(headers[header], undefined, header);
  assert.deepEqual(await staged(), []);
  assert.equal(await rowsOf(world), 2, 'what may have arrived is removed like an upload that nobody uses');
});

test('the content determines the type of a file: only types that cannot run scripts are shown, others are downloaded', async (t) => {
  const { world, upload, uploads, get } = await uploadScene(t);
  const ada = await world.person('Ada');
  const shown = {
    png: ['image', 'image/png'],
    jpeg: ['image', 'image/jpeg'],
    webp: ['image', 'image/webp'],
    gif: ['image', 'image/gif'],
    mp4: ['video', 'video/mp4'],
    m4a: ['audio', 'audio/mp4'],
    mp3: ['audio', 'audio/mpeg'],
  } as const;
  for (const [type, [kind, contentType]] of Object.entries(shown)) {
    const file = fileOf(type as keyof typeof shown, 2000);
    const media = await uploads(ada, `kind=${kind}&fileName=x.html`, file);
    assert.equal(media.contentType, contentType, type);
    assert.equal((await get(media.url)).headers['content-type'], contentType);
  }
  for (const type of ['svg', 'html', 'pdf', 'zip', 'exe', 'png'] as const) {
    const media = await uploads(ada, `kind=document&fileName=x.${type}`, fileOf(type));
    const { headers } = await get(media.url);
    assert.equal(headers['content-type'], 'application/octet-stream', type);
    assert.equal(headers['content-disposition'], `attachment; filename*=UTF-8''x.${type}`);
  }
  for (const type of ['svg', 'html', 'pdf', 'zip', 'exe', 'mp4', 'mp3'] as const) {
    const said = { 'content-type': 'image/png' };
    const answer = await upload(ada, 'kind=image&fileName=x.png', fileOf(type, 500), said);
    assert.deepEqual(refused(answer), NOT_SHOWN, type);
  }
});

test('too large, too much in a day, no length, not signed in: refused, and nothing is stored', async (t) => {
  const { world, upload, uploads, staged } = await uploadScene(t, { uploadMegabytesPerDay: 1 });
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const large = await upload(ada, 'kind=image&fileName=x.png', Buffer.alloc(0), {
    'content-length': '10485761',
  });
  assert.deepEqual(refused(large), refusal(413, 'invalid-argument', 'body is larger than 10485760 bytes'));
  const half = fileOf('png', 600_000);
  await uploads(ada, 'kind=image&fileName=x.png', half);
  const limits = async () => (await ada.calls('GET', '/api/chat/media/limits')).body.data;
  assert.deepEqual(await limits(), {
    maxBytes: { image: 10485760, video: 52428800, audio: 20971520, document: 20971520 },
    bytesPerDay: 1048576,
    bytesLeftToday: 448_576,
    isPublic: false,
  });
  const more = await upload(ada, 'kind=image&fileName=x.png', half);
  assert.deepEqual(
    refused(more),
    refusal(429, 'resource-exhausted', 'this would exceed what you may upload in a day'),
  );
  assert.equal(more.headers['retry-after'], String(12 * 3600));
  await uploads(bob, 'kind=image&fileName=x.png', half);
  world.clock.advance({ hours: 12 });
  await uploads(ada, 'kind=image&fileName=x.png', half);
  assert.equal((await upload(ada, 'kind=film&fileName=x', half)).statusCode, 400);
  assert.equal((await upload(ada, 'kind=image&fileName=x', Buffer.alloc(0))).statusCode, 400);
  const left = (await limits()).bytesLeftToday;
  assert.equal(left, 448_576);
  assert.equal((await upload(ada, 'kind=image&fileName=x', fileOf('svg', 400_000))).statusCode, 400);
  assert.equal((await limits()).bytesLeftToday, left, 'a refused upload costs nothing');
  const stranger = await world.app.inject({
    method: 'POST',
    url: '/api/chat/media?kind=image&fileName=x',
    payload: half,
  });
  assert.equal(stranger.statusCode, 401);
  const foreign = await upload(ada, 'kind=image&fileName=x', half, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.statusCode, 403);
  assert.deepEqual(await staged(), []);
});

test('uploads are limited to sixty a minute', async (t) => {
  const { world, upload } = await uploadScene(t);
  const ada = await world.person('Ada');
  for (let i = 0; i < 60; i++) await upload(ada, 'kind=image&fileName=x', Buffer.alloc(0));
  const answer = await upload(ada, 'kind=image&fileName=x', fileOf('png'));
  assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [429, '60']);
});

test('file names are made safe', async (t) => {
  const { world, uploads } = await uploadScene(t);
  const ada = await world.person('Ada');
  const names = { 'a\r\nSet-Cookie: x=y': 'aSet-Cookie x=y', "it's (a) *test*!.txt": "it's (a) test!.txt" };
  for (const [name, kept] of Object.entries(names)) {
    const media = await uploads(ada, `kind=document&fileName=${encodeURIComponent(name)}`, fileOf('zip'));
    assert.equal(media.fileName, kept);
    assert.match(media.url, /^\/media\/[A-Za-z0-9_-]{27}\/[A-Za-z0-9%._~-]+$/);
    assert.equal((await world.app.inject({ url: media.url })).statusCode, 200);
  }
});

test('an upload that is not used within a day is removed, row and file; a sent one stays', async (t) => {
  await using s3 = await startS3Server();
  const { world, uploads, get } = await uploadScene(t, { s3: s3.config });
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const [sent, unsent] = [
    await uploads(ada, 'kind=image&fileName=a.png', fileOf('png')),
    await uploads(ada, 'kind=image&fileName=b.png', fileOf('png')),
  ];
  await ada.writes(bob, { type: 'image', fileUrl: sent.url });
  world.clock.advance({ hours: 23 });
  await removeExpired(world);
  assert.equal((await get(unsent.url)).statusCode, 200);
  world.clock.advance({ hours: 1 });
  await removeExpired(world);
  assert.equal((await get(unsent.url)).statusCode, 404);
  assert.equal((await get(sent.url)).statusCode, 200);
  assert.equal(s3.objects.size, 1);
});

test('a file that the store does not remove now is removed later, and meanwhile nothing can use it', async (t) => {
  const { world, uploads, get, mediaDir } = await uploadScene(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const [stuck, other] = [
    await uploads(ada, 'kind=image&fileName=a.png', fileOf('png')),
    await uploads(ada, 'kind=image&fileName=b.png', fileOf('png')),
  ];
  const [, , mediaId = ''] = stuck.url.split('/');
  const path = join(mediaDir, mediaId.slice(0, 2), mediaId);
  await rename(path, `${path}.moved`);
  await mkdir(path);
  world.clock.advance({ days: 1 });
  await assert.rejects(removeExpired(world), 'a directory is not removed as a file');
  world.clock.advance({ minutes: 1 });
  await assert.rejects(removeExpired(world));
  for (const { url } of [stuck, other]) {
    assert.equal((await get(url)).statusCode, 404, 'the first one does not delay the second');
    const message = { to: bob.accountId, type: 'image', fileUrl: url };
    assert.equal((await ada.calls('POST', '/api/chat/messages', message)).status, 400);
  }
  await rmdir(path);
  await rename(`${path}.moved`, path);
  await removeExpired(world);
  const left = await readdir(mediaDir, { recursive: true, withFileTypes: true });
  assert.deepEqual([left.filter((entry) => entry.isFile()).length, await rowsOf(world)], [0, 0]);
});

test('an error is not kept by browsers like the file that cannot be read now', async (t) => {
  expectErrors(/EISDIR/);
  const { world, uploads, get, mediaDir } = await uploadScene(t);
  const { url } = await uploads(await world.person('Ada'), 'kind=image&fileName=a.png', fileOf('png'));
  const [, , mediaId = ''] = url.split('/');
  const path = join(mediaDir, mediaId.slice(0, 2), mediaId);
  await rename(path, `${path}.moved`);
  await mkdir(path);
  const { statusCode, headers } = await get(url);
  assert.deepEqual([statusCode, headers['cache-control'], headers['etag']], [500, 'no-store', undefined]);
  await rmdir(path);
  await rename(`${path}.moved`, path);
  assert.equal((await get(url)).statusCode, 200);
});

test('uploads are sent, posted and shown by their path; bots get links at the server’s own address', async (t) => {
  for (const publicUrl of ['https://chat.example.com', undefined]) {
    const address = publicUrl ?? 'http://localhost:3000';
    const { world, uploads } = await uploadScene(t, { publicUrl });
    const ada = await world.person('Ada');
    const bot = await world.bot();
    const lastEvent = async () => (await bot.calls('GET', '/v1/events')).body.data.events.at(-1).event;
    const { url } = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
    const film = await uploads(ada, 'kind=video&fileName=a.mp4', fileOf('mp4', 500));
    const sent = await ada.writes(bot, { type: 'video', fileUrl: film.url, thumbnailUrl: url });
    assert.deepEqual([sent.fileUrl, sent.thumbnailUrl], [film.url, url]);
    const { data } = await lastEvent();
    assert.equal(data.fileUrl, address + film.url);
    assert.equal(data.videoThumbnail, address + url);
    const groupId = await ada.makesGroup([bot], { photoUrl: url });
    const { group } = (await ada.calls('GET', `/api/chat/conversations/${groupId}`)).body.data;
    assert.equal(group.photoUrl, url);
    assert.equal((await ada.writesIn(groupId, { type: 'image', fileUrl: url })).fileUrl, url);
    assert.equal((await lastEvent()).data.fileUrl, address + url);
    await ada.calls('POST', '/api/chat/stories', { type: 'image', imageUrl: url });
    const own = await ada.calls('GET', '/api/chat/stories/mine');
    assert.equal(own.body.data[0].images[0].imageUrl, url);
  }
});

test('only existing uploads can be sent, and only by people', async (t) => {
  const { world, uploads } = await uploadScene(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  const { url } = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
  const send = (fileUrl: string) =>
    ada.calls('POST', '/api/chat/messages', { to: bot.accountId, type: 'image', fileUrl });
  const unknown = invalid('fileUrl is not an upload of this server');
  for (const fileUrl of [`/media/${'a'.repeat(27)}/a.png`, '/media/x', `${url}?x`, `/media/../${url}`]) {
    assert.deepEqual(plain(await send(fileUrl)), unknown, fileUrl);
  }
  for (const fileUrl of [`http://localhost:3000${url}`, `//evil.example${url}`, 'javascript:alert(1)']) {
    const { status, body } = await send(fileUrl);
    assert.deepEqual(
      [status, body.message],
      [400, 'fileUrl must begin with https://, or be the url of an upload'],
    );
  }
  await send(url);
  const byBot = await bot.calls('POST', '/v1/messages', { to: ada.accountId, type: 'image', fileUrl: url });
  assert.deepEqual([byBot.status, byBot.body.message], [400, 'fileUrl must begin with https://']);
});

test('an upload whose name cannot be read is served without it', async (t) => {
  const { world, uploads, get } = await uploadScene(t);
  const file = fileOf('mp4', 1000);
  const media = await uploads(await world.person('Ada'), 'kind=video&fileName=film.mp4', file);
  await damage(world.db, { table: 'media', column: 'file_name' }, 'all');
  const { statusCode, headers, rawPayload } = await get(media.url);
  assert.equal(statusCode, 200);
  assert.ok(rawPayload.equals(file));
  const mediaId = media.url.split('/')[2];
  assert.equal(headers['content-disposition'], `inline; filename*=UTF-8''${mediaId}`);
});
