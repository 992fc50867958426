import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { type ImportScene, importScene } from '#testing/import-scene.ts';

const PEOPLE = 12;
const CHANNELS = 4;
const MESSAGES = 8_000;
const KILLS = 4;
const AT = Date.UTC(2024, 0, 1);

/** Enough to be killed in the middle of: several batches. */
function* lines(): Generator<string> {
  const line = (type: string, value?: object) => `${JSON.stringify({ type, [type]: value ?? 1 })}\n`;
  yield line('version');
  yield line('team', { name: 'acme' });
  for (let i = 0; i < CHANNELS; i++) yield line('channel', { team: 'acme', name: `channel${i}` });
  const channels = Array.from({ length: CHANNELS }, (_, i) => ({ name: `channel${i}`, roles: '' }));
  for (let i = 0; i < PEOPLE; i++)
    yield line('user', {
      username: `person${i}`,
      email: `person${i}@example.com`,
      teams: [{ name: 'acme', channels }],
    });
  for (let i = 0; i < MESSAGES; i += 2) {
    const [user, other] = [`person${i % PEOPLE}`, `person${(i + 5) % PEOPLE}`];
    const said = {
      user,
      message: `message ${i}`,
      create_at: AT + i * 1000,
      reactions: [{ user: other, emoji_name: 'tada' }],
      replies: [{ user: other, message: `answer ${i}`, create_at: AT + i * 1000 + 500 }],
    };
    yield i % 6 === 0
      ? line('direct_post', { ...said, channel_members: [user, other] })
      : line('post', { ...said, team: 'acme', channel: `channel${(i / 2) % CHANNELS}` });
  }
}

/** Starts the command in a process of its own. */
function start({ environment }: ImportScene, product: string, file: string) {
  return spawn(process.execPath, ['server/cli.ts', 'import', product, file, '--json'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Everything that is the same however often the import was begun. */
async function contents({ world }: ImportScene): Promise<Record<string, unknown>> {
  const { db } = world;
  return {
    accounts: await db`select account_id, name, email from accounts where not is_bot order by account_id`,
    names: await db`select value, kind, owner_id from unique_names order by kind, value`,
    groups: await db`
      select group_id, name, creator_id, member_count, created_at from groups order by group_id`,
    members: await db`select group_id, account_id, is_admin, joined_at from members order by 1, 2`,
    contacts: await db`select conversation_id, account_id, wrote_at from contacts order by 1, 2`,
    listings: await db`
      select account_id, conversation_id, kind, peer_id, created_at, read_msg_id
      from account_conversations order by 1, 2`,
    messages: await db`
      select bucket, conversation_id, msg_id, sender_id, type, reply_to_msg_id, sent_at, length(body) as length
      from messages order by msg_id`,
    reactions: await db`select msg_id, version, length(body) as length from reactions order by msg_id`,
  };
}

async function countMessages({ world }: ImportScene): Promise<number> {
  const [row] = await world.db<{ count: number }[]>`select count(*)::integer as count from messages`;
  return row?.count ?? 0;
}

test('killed again and again, an import ends with the rows of one that was not; so does one of Parley, whose ids stay', async (t) => {
  const whole = await importScene(t);
  const text = [...lines()].join('');
  await whole.imports('mattermost', await whole.file('export.jsonl', text));
  const expected = await contents(whole);
  assert.equal((expected['messages'] as object[]).length, MESSAGES);

  const again = await importScene(t);
  await importsKilled(again, 'mattermost', await again.file('export.jsonl', text));
  assert.deepEqual(await contents(again), expected);

  const moved = await importScene(t);
  await importsKilled(moved, 'parley', await whole.exports('export.zip'));
  const { names, ...rest } = await contents(moved);
  const { names: namesThere, ...restThere } = expected;
  assert.deepEqual(rest, restThere);
  const isKept = ({ kind }: { kind: string }) => kind !== 'import';
  assert.deepEqual([...(names as object[])], (namesThere as { kind: string }[]).filter(isKept));
});

/** Imports a file, killed again and again before. */
async function importsKilled(scene: ImportScene, product: string, file: string): Promise<void> {
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const running = start(scene, product, file);
    const ended = once(running, 'exit');
    // At another point each time: once so many messages are there, or right at the start.
    const until = (kill / KILLS) * MESSAGES;
    while (running.exitCode === null && (await countMessages(scene)) < until);
    running.kill('SIGKILL');
    const [, signal] = await ended;
    if (signal === 'SIGKILL') interrupted++;
  }
  assert.ok(interrupted >= 2, `${interrupted} of ${KILLS} were interrupted`);
  const last = start(scene, product, file);
  const [exitCode] = await once(last, 'exit');
  assert.equal(exitCode, 0);
}
