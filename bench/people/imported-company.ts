import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '#platform/database.ts';
import type { Scratch } from '../../tests/scratch.ts';
import {
  type CompanySize,
  DAY_MS,
  DAYS,
  PEERS,
  type Person,
  pickMembers,
  SHARE_IN_GROUPS,
} from './company.ts';
import { pickOne, pickWords } from './mix.ts';

/** A company of the same kind that comes from Mattermost: its bulk export, as `parley import` brings it. Returns its people. */
export async function importCompany(scratch: Scratch, size: CompanySize): Promise<Person[]> {
  const file = join(scratch.directory, 'export.jsonl');
  await pipeline(Readable.from(linesOf(size)), createWriteStream(file));
  const command = spawn(process.execPath, ['server/cli.ts', 'import', 'mattermost', file], {
    env: { ...process.env, ...scratch.environment },
    stdio: 'inherit',
  });
  const [code] = await once(command, 'exit');
  if (code !== 0) throw new Error('the import failed');
  return findPeople(scratch.db);
}

function* linesOf({ people, groups, messages, largestGroup }: CompanySize): Generator<string> {
  const line = (type: string, value: unknown) => `${JSON.stringify({ type, [type]: value })}\n`;
  const usernames = Array.from({ length: people }, (_, i) => `person${i}`);
  const channelsOf = new Map<string, { name: string; roles: string }[]>(usernames.map((one) => [one, []]));
  const channels = Array.from({ length: groups }, (_, i) => {
    const name = `group${i}`;
    const members = pickMembers(usernames, i === 0 ? largestGroup : undefined);
    for (const [at, one] of members.entries())
      channelsOf.get(one)?.push({ name, roles: at === 0 ? 'channel_admin' : '' });
    return { name, members };
  });
  const pairs = usernames.flatMap((one) =>
    pickMembers(usernames, PEERS / 2).flatMap((other) => (other === one ? [] : [[one, other]])),
  );
  yield line('version', 1);
  yield line('team', { name: 'company' });
  for (const { name } of channels) yield line('channel', { team: 'company', name });
  for (const username of usernames) {
    const teams = [{ name: 'company', channels: channelsOf.get(username) }];
    yield line('user', { username, email: `${username}@example.com`, teams });
  }
  const begin = Date.now() - DAYS * DAY_MS;
  for (let i = 0; i < messages; i++) {
    const said = { message: pickWords(20), create_at: begin + Math.floor((i / messages) * DAYS * DAY_MS) };
    if (Math.random() < SHARE_IN_GROUPS) {
      const { name: channel, members } = pickOne(channels);
      yield line('post', { ...said, user: pickOne(members), team: 'company', channel });
    } else {
      const pair = pickOne(pairs);
      yield line('direct_post', { ...said, user: pickOne(pair), channel_members: pair });
    }
  }
}

/** Everybody, with a username as people choose one, and with whom they talk. */
async function findPeople(db: Database): Promise<Person[]> {
  await db`update accounts set username = split_part(email, '@', 1)`;
  await db`
    insert into unique_names (value, kind, owner_id)
    select username, 'username', account_id from accounts`;
  await db`vacuum analyze`;
  return db<Person[]>`
    select account_id, username,
      array(
        select conversation_id from account_conversations as listed
        where listed.account_id = accounts.account_id and kind = 'group') as group_ids,
      array(
        select peer_id from account_conversations as listed
        where listed.account_id = accounts.account_id and kind = 'private') as peer_ids
    from accounts`;
}
