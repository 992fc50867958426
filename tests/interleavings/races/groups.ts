import assert from 'node:assert/strict';
import { bucketOf } from '#platform/ids.ts';
import type { World } from '#testing/world.ts';
import { type Guard, type Race, race } from '../race.ts';
import {
  changeRole,
  endAccount,
  expectStatuses,
  expectWholeGroup,
  expectWinners,
  removeFromGroup,
} from './scenes.ts';

const GROUP_LOCK: Guard = [
  [/(from groups where deleted_at is null and bucket = \$1 [^;]*?)\s+for no key update/, '$1'],
];

export const GROUPS: Record<string, Race> = {
  'last administrators leave': race({ 'the lock of the group': GROUP_LOCK }, async (arena) => {
    const [ada, bob, cyd] = await arena.world.people('Ada', 'Bob', 'Cyd');
    const groupId = await ada.makesGroup([bob, cyd]);
    await changeRole(ada, groupId, bob.accountId, true);
    return {
      works: [ada, bob].map((one, i) => () => removeFromGroup(arena.person(i, one), groupId, one.accountId)),
      async check(results) {
        expectStatuses(results, 200, 200);
        await expectWholeGroup(arena, groupId);
      },
    };
  }),
  'last administrators demote each other': race({ 'the lock of the group': GROUP_LOCK }, async (arena) => {
    const [ada, bob] = await arena.world.people('Ada', 'Bob');
    const groupId = await ada.makesGroup([bob]);
    await changeRole(ada, groupId, bob.accountId, true);
    return {
      works: [
        () => changeRole(arena.person(0, ada), groupId, bob.accountId, false),
        () => changeRole(arena.person(1, bob), groupId, ada.accountId, false),
      ],
      async check(results) {
        expectWinners(results, 1, 403);
        await expectWholeGroup(arena, groupId);
      },
    };
  }),
  'promote and leave': race({ 'the lock of the group': GROUP_LOCK }, async (arena) => {
    const [ada, bob, cyd] = await arena.world.people('Ada', 'Bob', 'Cyd');
    const groupId = await ada.makesGroup([bob, cyd]);
    return {
      works: [
        () => changeRole(arena.person(0, ada), groupId, bob.accountId, true),
        () => removeFromGroup(arena.person(1, ada), groupId, ada.accountId),
        () => removeFromGroup(arena.person(2, bob), groupId, bob.accountId),
      ],
      async check(results) {
        expectStatuses(results, [200, 403, 404], 200, 200);
        await expectWholeGroup(arena, groupId);
      },
    };
  }),
  'add and remove': race({ 'the lock of the group': GROUP_LOCK }, async (arena) => {
    const [ada, bob, cyd] = await arena.world.people('Ada', 'Bob', 'Cyd');
    const groupId = await ada.makesGroup([bob]);
    const added = { groupId, memberIds: [cyd.accountId] };
    return {
      works: [
        () => arena.person(0, ada).calls('POST', '/api/chat/groups/members', added),
        () => removeFromGroup(arena.person(1, bob), groupId, bob.accountId),
      ],
      async check(results) {
        expectStatuses(results, 200, 200);
        await expectWholeGroup(arena, groupId);
      },
    };
  }),
  'an invitation link used once': race(
    {
      'a use is left, as it is taken': [
        [/(set used = used \+ 1[^;]*) and \(uses is null or used < uses\)/, '$1'],
      ],
    },
    async (arena) => {
      const [ada, bob, cyd] = await arena.world.people('Ada', 'Bob', 'Cyd');
      const groupId = await ada.makesGroup([]);
      const { path } = await ada.gets('POST', '/api/chat/groups/links', { groupId, uses: 1 });
      const token = new URL(path, 'https://chat.example').hash.slice(1);
      return {
        works: [bob, cyd].map(
          (one, i) => () => arena.person(i, one).calls('POST', '/api/chat/groups/links/join', { token }),
        ),
        async check(results) {
          expectWinners(results, 1, 404);
          await expectWholeGroup(arena, groupId);
        },
      };
    },
  ),
  'an account ends while it is added': race(
    {
      'the lock of the added account': [
        [/(from accounts where account_id = (?:\$1|any\(\$1\))[^;]*) for share(?! skip)/, '$1'],
      ],
    },
    async (arena) => {
      const [ada, bob] = await arena.world.people('Ada', 'Bob');
      const groupId = await ada.makesGroup([]);
      return {
        works: [
          () =>
            arena
              .person(0, ada)
              .calls('POST', '/api/chat/groups/members', { groupId, memberIds: [bob.accountId] }),
          () => endAccount(arena.person(1, bob)),
        ],
        async check(results) {
          expectStatuses(results, [200, 404], 200);
          await expectWholeGroup(arena, groupId);
          const left = await arena.world.db`select from members where account_id = ${bob.accountId}`;
          assert.equal(left.length, 0, 'a deleted account is a member');
        },
      };
    },
  ),
  'an account leaves its groups while messages are written there': race({}, async (arena) => {
    const [ada, bob] = await arena.world.people('Ada', 'Bob');
    const made = [await ada.makesGroup([])];
    let found: readonly string[] | undefined;
    // Two, so that every order has the same steps, of which the order of the buckets is not that of the ids.
    while (!found) {
      const last = await ada.makesGroup([]);
      const first = made.find((groupId) => bucketOf(groupId) > bucketOf(last));
      if (first) found = [last, first];
      else made.push(last);
    }
    for (const groupId of found) {
      const added = { groupId, memberIds: [bob.accountId] };
      expectStatuses([await ada.calls('POST', '/api/chat/groups/members', added)], 200);
    }
    // As one batch of messages keeps them.
    const groups = found.map((groupId) => ({ groupId, bucket: bucketOf(groupId) }));
    const keepAll = ({ db, groups: { keep } }: World) =>
      db.begin(async (tx) => {
        for (const group of groups) await keep(tx, [group]);
      });
    return {
      works: [() => keepAll(arena.servers[0] as World), () => endAccount(arena.person(1, bob))],
      async check([, ended]) {
        expectStatuses([ended], 200);
      },
    };
  }),
};
