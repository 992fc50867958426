import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { importScene } from '#testing/import-scene.ts';
import { zipOf } from '#testing/zip.ts';

const said = { user: 'a', message: 'x', create_at: Date.UTC(2024, 2, 1) };
const direct = (more: object) => ({
  type: 'direct_post',
  direct_post: { ...said, channel_members: ['a', 'b'], ...more },
});
const post = (channel: string) => ({ type: 'post', post: { ...said, team: 'acme', channel } });
const linesOf = (lines: readonly unknown[]) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

test('hostile and broken exports are refused, with the file and the line', async (t) => {
  const scene = await importScene(t);
  const refused = async (lines: readonly unknown[] | string, fault: RegExp) => {
    const text = typeof lines === 'string' ? lines : linesOf([{ type: 'version', version: 1 }, ...lines]);
    const file = await scene.file('bulk/import.jsonl', text);
    await assert.rejects(scene.imports('mattermost', file), fault);
  };
  await refused('{"type":"version"}\n{"type":', /^Error: import\.jsonl:2: not JSON: /);
  await refused('', /^Error: import\.jsonl:1: a bulk export of Mattermost begins with its version/);
  await refused([{ type: 'user', user: { email: 'x' } }], /^Error: import\.jsonl:2: .*username/);
  await refused(
    [{ type: 'user', user: { username: 7 } }],
    /^Error: import\.jsonl:2: username must be string/,
  );
  await refused([direct({ create_at: 17 })], /^Error: import\.jsonl:2: create_at is not a time/);
  const soon = scene.world.clock.now() + 23 * 3_600_000;
  await refused(
    [direct({ create_at: soon + 7_200_000 })],
    /^Error: import\.jsonl:2: the message is from the/,
  );
  await refused([direct({ create_at: soon }), post('x')], /^Error: import\.jsonl:3: /);
  await refused([post('nowhere')], /^Error: import\.jsonl:2: the conversation acme\/nowhere is not/);
  await refused(
    `{"type":"version"}\n"${'x'.repeat(33 * 1024 * 1024)}"`,
    /^Error: import\.jsonl:2: more than 32 MB/,
  );
  const withFile = (path: string) => direct({ attachments: [{ path }] });
  for (const path of ['../../master.keys', '/etc/passwd', 'x\\..\\..\\y', 'C:\\x'])
    await refused([withFile(path)], /^Error: import\.jsonl:2: ".*" leads out of the export/);
  await symlink(join(scene.directory, 'my.keys'), join(scene.directory, 'bulk/link.txt'));
  await refused([withFile('link.txt')], /^Error: import\.jsonl:2: "link\.txt" leads out of the export/);
  for (const name of ['../evil', '/evil', 'a/../../evil']) {
    const file = await scene.file('evil.zip', zipOf({ 'import.jsonl': '{"type":"version"}', [name]: 'x' }));
    await assert.rejects(
      scene.imports('mattermost', file),
      /^Error: .*evil\.zip: .*(invalid|absolute|out of)/,
    );
  }
  const broken = await scene.file('broken.zip', 'PK and so on');
  await assert.rejects(scene.imports('mattermost', broken), /broken\.zip is not a zip archive/);
  await assert.rejects(scene.imports('mattermost', '/nowhere.zip'), /there is no file \/nowhere\.zip/);
  const rows = await scene.rows();
  assert.deepEqual([rows['messages'], rows['groups'], rows['account_conversations']], [0, 0, 0]);
});

test('an archive with damaged bytes is refused, those of a file too', async (t) => {
  const scene = await importScene(t);
  const lines = linesOf([
    { type: 'version', version: 1 },
    direct({ message: 'the original', attachments: [{ path: 'a.txt' }] }),
  ]);
  for (const [text, fault] of [
    ['original', /import\.jsonl is damaged: its checksum differs/],
    ['written', /^Error: import\.jsonl:2: a\.txt: body ended before it was complete/],
  ] as const) {
    const archive = zipOf({ 'import.jsonl': lines, 'a.txt': 'as written' });
    archive[archive.indexOf(text)] = 'x'.charCodeAt(0);
    const file = await scene.file('damaged.zip', archive);
    await assert.rejects(scene.imports('mattermost', file), fault);
  }
});
