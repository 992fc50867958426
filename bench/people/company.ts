import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Database } from '#platform/database.ts';
import { bucketOf, createIds, privateConversationId } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { pickOne, pickWords } from './mix.ts';

/** The data of a company that has used Parley for a while. */
export interface CompanySize {
  people: number;
  groups: number;
  messages: number;
  /** Members of the one group that everybody of a site is in. */
  largestGroup: number;
}

export interface Person {
  accountId: string;
  username: string;
  groupIds: string[];
  peerIds: string[];
}

/** Of the other groups: most are small, a few have hundreds of members. */
const GROUP = { least: 3, most: 400, skew: 4 };
const PEERS = 10;
const SHARE_IN_GROUPS = 0.6;
const DAYS = 300;
const DAY_MS = 86_400_000;
const ROWS_PER_STATEMENT = 2_000;

/** Writes a company into an empty database, without events. Returns its people. */
export async function foundCompany(db: Database, keyring: Keyring, size: CompanySize): Promise<Person[]> {
  const time = { at: Date.now() - DAYS * DAY_MS };
  const newId = createIds({ now: () => time.at }, systemRandom);
  const founded = time.at;
  const people = Array.from(
    { length: size.people },
    (_, i): Person => ({ accountId: newId('usr'), username: `person${i}`, groupIds: [], peerIds: [] }),
  );
  await insertAll(people, async (some) => {
    await db`insert into unique_names ${db(
      some.map(({ accountId, username }) => ({ value: username, kind: 'username', ownerId: accountId })),
    )}`;
    await db`insert into accounts ${db(
      some.map(({ accountId, username }) => ({
        accountId,
        isBot: false,
        name: `Person ${username}`,
        username,
        createdAt: founded,
      })),
    )}`;
  });
  const threads: { conversationId: string; writers: string[] }[] = [];
  const listRows: object[] = [];

  const groups = Array.from({ length: size.groups }, (_, i) => {
    const count =
      i === 0
        ? size.largestGroup
        : Math.floor(GROUP.least + (GROUP.most - GROUP.least) * Math.random() ** GROUP.skew);
    const groupId = newId('grp');
    const members = pickSome(people, Math.min(count, people.length));
    for (const member of members) member.groupIds.push(groupId);
    threads.push({ conversationId: groupId, writers: members.map(({ accountId }) => accountId) });
    return { groupId, members };
  });
  await insertAll(
    groups,
    (some) =>
      db`insert into groups ${db(
        some.map(({ groupId, members }) => ({
          bucket: bucketOf(groupId),
          groupId,
          name: `Group ${groupId.slice(-4)}`,
          description: '',
          isBroadcast: false,
          sendMessages: true,
          editInfoOnlyAdmin: true,
          creatorId: members[0]?.accountId as string,
          memberCount: members.length,
          createdAt: founded,
        })),
      )}`,
  );
  const memberRows = groups.flatMap(({ groupId, members }) =>
    members.map(({ accountId }, i) => ({
      bucket: bucketOf(groupId),
      groupId,
      accountId,
      botAppId: null as string | null,
      isAdmin: i === 0,
      joinedAt: founded,
    })),
  );
  await insertAll(memberRows, (some) => db`insert into members ${db(some)}`);
  for (const { groupId, accountId, bucket } of memberRows)
    listRows.push({
      accountId,
      conversationId: groupId,
      bucket,
      kind: 'group',
      peerId: null,
      createdAt: founded,
    });

  const contactRows: object[] = [];
  for (const one of people) {
    while (one.peerIds.length < PEERS) {
      const other = pickOne(people);
      if (other === one || one.peerIds.includes(other.accountId)) continue;
      one.peerIds.push(other.accountId);
      other.peerIds.push(one.accountId);
      const conversationId = privateConversationId(one.accountId, other.accountId);
      const bucket = bucketOf(conversationId);
      threads.push({ conversationId, writers: [one.accountId, other.accountId] });
      for (const [accountId, peerId] of [
        [one.accountId, other.accountId],
        [other.accountId, one.accountId],
      ]) {
        contactRows.push({ bucket, conversationId, accountId, peerId, wroteAt: founded });
        listRows.push({ accountId, conversationId, bucket, kind: 'private', peerId, createdAt: founded });
      }
    }
  }
  await insertAll(contactRows, (some) => db`insert into contacts ${db(some as never)}`);

  const [inGroups, inPrivate] = [threads.slice(0, size.groups), threads.slice(size.groups)];
  const newest = new Map<string, string>();
  for (let written = 0; written < size.messages; written += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: ROWS_PER_STATEMENT }, (_, i) => {
      time.at = founded + Math.floor(((written + i) / size.messages) * DAYS * DAY_MS);
      const { conversationId, writers } = pickOne(Math.random() < SHARE_IN_GROUPS ? inGroups : inPrivate);
      const msgId = newId('msg');
      newest.set(conversationId, msgId);
      const body = Buffer.from(JSON.stringify({ content: pickWords(20) }));
      const { ciphertext, keyId } = keyring.seal({ table: 'messages', rowId: msgId }, body);
      return {
        bucket: bucketOf(conversationId),
        conversationId,
        msgId,
        senderId: pickOne(writers),
        type: 'text',
        body: ciphertext,
        bodyKeyId: keyId,
        sentAt: time.at,
      };
    });
    await db`insert into messages ${db(rows)}`;
  }
  // Whoever is back from a holiday has messages to read; most have read everything.
  const isAway = new Set(people.filter((_, i) => i % 10 === 0).map(({ accountId }) => accountId));
  const readRows = (listRows as { accountId: string; conversationId: string }[]).map((row) => ({
    ...row,
    readMsgId: isAway.has(row.accountId) ? null : (newest.get(row.conversationId) ?? null),
  }));
  await insertAll(readRows, (some) => db`insert into account_conversations ${db(some)}`);
  await db`vacuum analyze`;
  return people;
}

async function insertAll<T>(rows: readonly T[], insert: (some: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
    await insert(rows.slice(from, from + ROWS_PER_STATEMENT));
}

function pickSome<T>(all: readonly T[], count: number): T[] {
  const picked = new Set<T>();
  while (picked.size < count) picked.add(pickOne(all));
  return [...picked];
}
