import type { IdKind } from '#contract/ids.ts';
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
export const PEERS = 10;
export const SHARE_IN_GROUPS = 0.6;
export const DAYS = 300;
export const DAY_MS = 86_400_000;
const ROWS_PER_STATEMENT = 2_000;

interface Thread {
  conversationId: string;
  members: readonly Person[];
}

/** Writes a company into an empty database, without events. Returns its people. */
export async function foundCompany(db: Database, keyring: Keyring, size: CompanySize): Promise<Person[]> {
  const time = { at: Date.now() - DAYS * DAY_MS };
  const writing = { db, keyring, newId: createIds({ now: () => time.at }, systemRandom), foundedAt: time.at };
  const people = await hire(writing, size);
  const groups = await formGroups(writing, people, size);
  const pairs = await introduce(writing, people);
  const newest = await converse(writing, { groups, pairs, count: size.messages, time });
  await list(writing, people, [...groups, ...pairs], newest);
  await db`vacuum analyze`;
  return people;
}

interface Writing {
  db: Database;
  keyring: Keyring;
  newId: (kind: IdKind) => string;
  foundedAt: number;
}

async function hire({ db, newId, foundedAt }: Writing, size: CompanySize): Promise<Person[]> {
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
        email: `${username}@example.com`,
        username,
        createdAt: foundedAt,
      })),
    )}`;
  });
  return people;
}

async function formGroups(
  { db, newId, foundedAt }: Writing,
  people: readonly Person[],
  size: CompanySize,
): Promise<Thread[]> {
  const groups = Array.from({ length: size.groups }, (_, i): Thread => {
    const conversationId = newId('grp');
    const members = pickMembers(people, i === 0 ? size.largestGroup : undefined);
    for (const member of members) member.groupIds.push(conversationId);
    return { conversationId, members };
  });
  const groupRows = groups.map(({ conversationId: groupId, members }) => ({
    bucket: bucketOf(groupId),
    groupId,
    name: `Group ${groupId.slice(-4)}`,
    description: '',
    isBroadcast: false,
    sendMessages: true,
    editInfoOnlyAdmin: true,
    creatorId: members[0]?.accountId as string,
    memberCount: members.length,
    createdAt: foundedAt,
  }));
  const memberRows = groups.flatMap(({ conversationId: groupId, members }) =>
    members.map(({ accountId }, i) => ({
      bucket: bucketOf(groupId),
      groupId,
      accountId,
      botAppId: null as string | null,
      isAdmin: i === 0,
      joinedAt: foundedAt,
    })),
  );
  await insertAll(groupRows, (some) => db`insert into groups ${db(some)}`);
  await insertAll(memberRows, (some) => db`insert into members ${db(some)}`);
  return groups;
}

/** Each person gets to know others until it is a number of them, who have all written to each other. */
async function introduce({ db, foundedAt }: Writing, people: readonly Person[]): Promise<Thread[]> {
  const pairs: Thread[] = [];
  for (const one of people) {
    while (one.peerIds.length < PEERS) {
      const other = pickOne(people);
      if (other === one || one.peerIds.includes(other.accountId)) continue;
      one.peerIds.push(other.accountId);
      other.peerIds.push(one.accountId);
      pairs.push({
        conversationId: privateConversationId(one.accountId, other.accountId),
        members: [one, other],
      });
    }
  }
  const contactRows = pairs.flatMap(({ conversationId, members }) =>
    members.map(({ accountId }, i) => ({
      bucket: bucketOf(conversationId),
      conversationId,
      accountId,
      peerId: members[1 - i]?.accountId as string,
      wroteAt: foundedAt,
    })),
  );
  await insertAll(contactRows, (some) => db`insert into contacts ${db(some)}`);
  return pairs;
}

/** In the order of time, as in real use. Returns the newest message of each conversation. */
async function converse(
  { db, keyring, newId, foundedAt }: Writing,
  {
    groups,
    pairs,
    count,
    time,
  }: { groups: readonly Thread[]; pairs: readonly Thread[]; count: number; time: { at: number } },
): Promise<Map<string, string>> {
  const newest = new Map<string, string>();
  for (let written = 0; written < count; written += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: ROWS_PER_STATEMENT }, (_, i) => {
      time.at = foundedAt + Math.floor(((written + i) / count) * DAYS * DAY_MS);
      const { conversationId, members } = pickOne(Math.random() < SHARE_IN_GROUPS ? groups : pairs);
      const msgId = newId('msg');
      newest.set(conversationId, msgId);
      const body = Buffer.from(JSON.stringify({ content: pickWords(20) }));
      const { ciphertext, keyId } = keyring.seal({ table: 'messages', rowId: msgId }, body);
      return {
        bucket: bucketOf(conversationId),
        conversationId,
        msgId,
        senderId: pickOne(members).accountId,
        type: 'text',
        body: ciphertext,
        bodyKeyId: keyId,
        sentAt: time.at,
      };
    });
    await db`insert into messages ${db(rows)}`;
  }
  return newest;
}

/** Everybody's list of conversations. A tenth of the people have been away and read nothing; the others have read everything. */
async function list(
  { db, foundedAt }: Writing,
  people: readonly Person[],
  threads: readonly Thread[],
  newest: ReadonlyMap<string, string>,
): Promise<void> {
  const away = new Set(people.filter((_, i) => i % 10 === 0));
  const rows = threads.flatMap(({ conversationId, members }) => {
    const isGroup = conversationId.startsWith('grp');
    return members.map((member, i) => ({
      accountId: member.accountId,
      conversationId,
      bucket: bucketOf(conversationId),
      kind: isGroup ? 'group' : 'private',
      peerId: isGroup ? null : (members[1 - i]?.accountId as string),
      createdAt: foundedAt,
      readMsgId: away.has(member) ? null : (newest.get(conversationId) ?? null),
    }));
  });
  await insertAll(rows, (some) => db`insert into account_conversations ${db(some)}`);
}

async function insertAll<T>(rows: readonly T[], insert: (some: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
    await insert(rows.slice(from, from + ROWS_PER_STATEMENT));
}

/** Who is in a group, as many as usual or as said. */
export function pickMembers<T>(all: readonly T[], count = pickGroupSize()): T[] {
  const picked = new Set<T>();
  while (picked.size < count) picked.add(pickOne(all));
  return [...picked];
}

function pickGroupSize(): number {
  return Math.floor(GROUP.least + (GROUP.most - GROUP.least) * Math.random() ** GROUP.skew);
}
