import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupScene } from '#testing/group-scene.ts';
import { createGroup } from '../create.ts';
import { deleteGroup } from '../routes.ts';
import type { GroupActor } from '../service.ts';
import { removeMember } from './change-members.ts';
import { addMembers } from './newcomers.ts';

const LARGEST = 4;
const PEOPLE = 4;
const ACCOUNTS = 6;

/** A model of the rules of the contract and the decisions page, without a database. Accounts from 4 on are bots. */
class ModelGroup {
  readonly members = new Map<number, { isAdmin: boolean; joinedAt: number }>();
  readonly isBroadcast: boolean;
  readonly creator: number;
  isGone = false;

  constructor(creator: number, isBroadcast: boolean) {
    this.creator = creator;
    this.isBroadcast = isBroadcast;
  }

  static create(creator: number, others: number[], isBroadcast: boolean, now: number): ModelGroup | number {
    const model = new ModelGroup(creator, isBroadcast);
    model.members.set(creator, { isAdmin: true, joinedAt: now });
    const refused = model.add(creator, others, now);
    return refused === 200 ? model : refused;
  }

  add(actor: number, targets: number[], now: number): number {
    if (this.isGone) return 404;
    if (!this.members.get(actor)?.isAdmin) return 403;
    const newcomers = [...new Set(targets)].filter((target) => !this.members.has(target));
    // People have written to every bot; bots have not written to each other.
    if (isBot(actor) && newcomers.some(isBot)) return 403;
    if (newcomers.length > 0 && this.members.size + newcomers.length > LARGEST) return 429;
    for (const newcomer of newcomers) this.members.set(newcomer, { isAdmin: false, joinedAt: now });
    return 200;
  }

  remove(actor: number, target: number): number {
    if (this.isGone) return 404;
    if (actor === target) {
      if (!this.members.has(actor)) return 403;
      if (this.isBroadcast && actor === this.creator) return 400;
    } else {
      if (!this.members.get(actor)?.isAdmin) return 403;
      if (!this.members.has(target)) return 404;
    }
    this.members.delete(target);
    const standing = [...this.members].sort(
      ([one, a], [other, b]) =>
        Number(isBot(one)) - Number(isBot(other)) || a.joinedAt - b.joinedAt || one - other,
    );
    if (standing.length === 0) this.isGone = true;
    const [first] = standing;
    if (first && !standing.some(([, { isAdmin }]) => isAdmin)) first[1].isAdmin = true;
    return 200;
  }

  role(actor: number, target: number, isAdmin: boolean): number {
    if (this.isGone) return 404;
    if (!this.members.has(actor)) return 403;
    if (this.isBroadcast) return 400;
    if (!this.members.get(actor)?.isAdmin) return 403;
    const member = this.members.get(target);
    if (!member) return 404;
    const admins = [...this.members.values()].filter((other) => other.isAdmin).length;
    if (member.isAdmin && !isAdmin && admins === 1) return 400;
    member.isAdmin = isAdmin;
    return 200;
  }

  delete(actor: number): number {
    if (this.isGone) return 404;
    if (!this.members.get(actor)?.isAdmin) return 403;
    this.isGone = true;
    this.members.clear();
    return 200;
  }
}

function isBot(account: number): boolean {
  return account >= PEOPLE;
}

const account = fc.nat(ACCOUNTS - 1);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('add' as const),
      actor: account,
      targets: fc.array(account, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ verb: fc.constant('remove' as const), actor: account, target: account }),
  },
  { weight: 3, arbitrary: account.map((actor) => ({ verb: 'remove' as const, actor, target: actor })) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('role' as const),
      actor: account,
      target: account,
      isAdmin: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('delete' as const), actor: account }) },
);

test('membership, roles and succession behave as a simple model in 1,000 random histories', async (t) => {
  const { world, people, bot } = await groupScene(t, {
    people: PEOPLE,
    config: { maxGroupMembers: LARGEST, groupsPerDay: 1e9, newPeopleAddedPerDay: 1e9 },
  });
  const deps = { ...world, hooks: [world.hooks.messages.group] };
  const other = await world.bot();
  for (const person of people) await person.writes(other, 'hi');
  const accountIds = [...people, bot, other].map(({ accountId }) => accountId);
  const idOf = (index: number) => accountIds[index] as string;
  const actorOf = (index: number): GroupActor => ({
    kind: isBot(index) ? 'bot' : 'user',
    accountId: idOf(index),
  });

  const history = fc.record({
    creator: account,
    others: fc.array(account, { maxLength: 3 }),
    isBroadcast: fc.boolean(),
    steps: fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ creator, others, isBroadcast, steps }) => {
      const groupId = world.newId('grp');
      const created = await statusOf(
        createGroup(
          deps,
          actorOf(creator),
          { name: 'Model', members: others.map(idOf), isBroadcast },
          { id: groupId, isResumed: false },
        ),
      );
      const model = ModelGroup.create(creator, others, isBroadcast, world.clock.now());
      if (typeof model === 'number') {
        assert.equal(created, model, 'creation');
        return;
      }
      assert.equal(created, 200, 'creation');
      for (const [taken, isLater] of steps) {
        if (isLater) world.clock.advance({ seconds: 1 });
        const now = world.clock.now();
        const actor = actorOf(taken.actor);
        switch (taken.verb) {
          case 'add': {
            const add = addMembers(deps, actor, { groupId, memberIds: taken.targets.map(idOf) });
            assert.equal(await statusOf(add), model.add(taken.actor, taken.targets, now), 'add');
            break;
          }
          case 'remove': {
            const remove = removeMember(deps, actor, { groupId, memberId: idOf(taken.target) });
            assert.equal(await statusOf(remove), model.remove(taken.actor, taken.target), 'remove');
            break;
          }
          case 'role': {
            const { target, isAdmin } = taken;
            const change = world.groups.changeRole(actor, { groupId, memberId: idOf(target), isAdmin });
            assert.equal(await statusOf(change), model.role(taken.actor, target, isAdmin), 'role');
            break;
          }
          case 'delete': {
            const removal = deleteGroup(deps, actor, groupId);
            assert.equal(await statusOf(removal), model.delete(taken.actor), 'delete');
            break;
          }
          default:
            taken satisfies never;
        }
      }
      await assertStored(groupId, model);
    }),
    { numRuns: 1000 },
  );

  async function assertStored(groupId: string, model: ModelGroup): Promise<void> {
    const members = await world.db`
      select account_id, is_admin, joined_at from members where group_id = ${groupId} order by account_id`;
    const expected = [...model.members]
      .sort(([one], [two]) => (idOf(one) < idOf(two) ? -1 : 1))
      .map(([index, standing]) => ({ accountId: idOf(index), ...standing }));
    assert.deepEqual([...members], expected);
    const [group] = await world.db`
      select member_count, deleted_at is not null as is_gone from groups where group_id = ${groupId}`;
    assert.deepEqual(group, { memberCount: expected.length, isGone: model.isGone });
    const listed = await world.db`
      select account_id from account_conversations where conversation_id = ${groupId} order by account_id`;
    assert.deepEqual(
      listed.map((row) => row['accountId']),
      expected.map(({ accountId }) => accountId),
    );
  }
});

/** 200, or the status of the refusal; any other error fails the test. */
async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'status' in error) return error.status as number;
    throw error;
  }
}
