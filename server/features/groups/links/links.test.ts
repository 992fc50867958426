import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LIMITS } from '#contract/limits.ts';
import type { LiveEvent } from '#platform/live.ts';
import { Browser, PASSWORD } from '#testing/account-scene.ts';
import { denied, missing, refusal, success } from '#testing/answers.ts';
import { asUser, groupScene, NO_ADMIN, NO_GROUP, OUTSIDER, type Plain } from '#testing/group-scene.ts';
import { signUpPerson } from '#testing/people.ts';
import type { Person } from '#testing/world.ts';

const UNKNOWN_GROUP = 'grp_00000000000000000000000a';
const LINKS = '/api/chat/groups/links';
const REQUESTS = '/api/chat/groups/join-requests';
const GONE = missing('this link does not exist or no longer works');
const DECIDED = missing('this person does not ask to join, or another administrator has decided');
const NOT_FOR_YOU = denied('you cannot join this group by a link; ask one of its administrators to add you');

/** Ada's group with Bob, and people outside it. */
async function linkScene(t: TestContext, { people = 5, maxGroupMembers = 1024 } = {}) {
  const scene = await groupScene(t, { people, config: { maxGroupMembers } });
  const { world, groupOf } = scene;
  const [ada, bob, ...others] = scene.people as [Person, Person, ...Person[]];
  const groupId = await groupOf(ada, [bob], { name: 'Team' });
  const plain = async (person: Person, url: string, body: object): Promise<Plain> => {
    const answer = await person.calls('POST', url, body);
    return { status: answer.status, body: answer.body };
  };
  const make = (options: object = {}, maker = ada) => plain(maker, LINKS, { groupId, ...options });
  return {
    ...scene,
    ada,
    bob,
    others,
    groupId,
    make,
    /** A link's secret. */
    async link(options: object = {}, maker = ada): Promise<{ token: string; linkId: string }> {
      const { status, body } = await make(options, maker);
      assert.equal(status, 201, JSON.stringify(body));
      const { path, linkId } = (body as { data: { path: string; linkId: string } }).data;
      return { token: path.split('#')[1] as string, linkId };
    },
    join: (person: Person, token: string) => plain(person, `${LINKS}/join`, { token }),
    asking: async (person = ada): Promise<string[]> =>
      (await person.calls('GET', `${REQUESTS}?groupId=${groupId}`)).body.data.requests.map(
        ({ userId }: { userId: string }) => userId,
      ),
    decide: (who: Person, isAccepted: boolean, by = ada) =>
      plain(by, `${REQUESTS}/decide`, { groupId, userId: who.accountId, isAccepted }),
    show: (person: Person, token: string) => plain(person, `${LINKS}/show`, { token }),
    revoke: (person: Person, linkId: string) => plain(person, `${LINKS}/revoke`, { groupId, linkId }),
    async listed(person = ada): Promise<{ linkId: string; used: number }[]> {
      return (await person.calls('GET', `${LINKS}?groupId=${groupId}`)).body.data.links;
    },
    remove: (memberId: string, by = ada) =>
      plain(by, '/api/chat/groups/members/remove', { groupId, memberId }),
    add: (memberId: string) => plain(ada, '/api/chat/groups/members', { groupId, memberIds: [memberId] }),
    stranger: (address = '192.0.2.1') => new Browser(world, { address }),
  };
}

test('a link that has expired or is used up is neither shown nor listed; the newest comes first', async (t) => {
  const { world, others, link, join, show, listed } = await linkScene(t);
  const [cyd, dan] = others as [Person, Person];
  const ids = async () => (await listed()).map(({ linkId }) => linkId);
  const short = await link({ expiresInSeconds: 60 });
  world.clock.advance({ seconds: 1 });
  const single = await link({ uses: 1 });
  world.clock.advance({ seconds: 1 });
  const open = await link();
  assert.deepEqual(await ids(), [open.linkId, single.linkId, short.linkId]);
  assert.equal((await join(cyd, single.token)).status, 200);
  world.clock.advance({ seconds: 57, milliseconds: 999 });
  assert.equal((await show(dan, short.token)).status, 200);
  world.clock.advance({ milliseconds: 1 });
  for (const { token } of [short, single]) assert.deepEqual(await show(dan, token), GONE);
  assert.deepEqual(await ids(), [open.linkId]);
  const newest = await link();
  assert.deepEqual(await ids(), [newest.linkId, open.linkId]);
  assert.equal((await world.db`select token_hash from group_links`).length, 2, 'the others are deleted');
});

test('a person sees the group of a link, joins once, and is told of; the database has no link', async (t) => {
  const { world, ada, bob, others, groupId, make, join, show, listed, roles } = await linkScene(t);
  const [cyd] = others as [Person];
  const now = world.clock.now();
  const made = await make({ expiresInSeconds: 3600, uses: 2 });
  const { path, ...shown } = (made.body as { data: { path: string; linkId: string } }).data;
  assert.deepEqual(shown, {
    linkId: shown.linkId,
    madeBy: { userId: ada.accountId, name: ada.name },
    createdAt: now,
    expiresAt: now + 3_600_000,
    uses: 2,
    used: 0,
    needsApproval: false,
  });
  assert.match(path, /^\/join#[A-Za-z0-9_-]{46}$/);
  const token = path.split('#')[1] as string;
  const dump = await world.db`select row_to_json(group_links)::text as row from group_links`;
  assert.equal(dump.length, 1);
  assert.ok(
    !dump[0]?.['row'].includes(token) && !dump[0]?.['row'].includes(Buffer.from(token).toString('hex')),
  );

  const group = { groupId, name: 'Team', isBroadcast: false, memberCount: 2, needsApproval: false };
  const seen = (isMember: boolean, memberCount = 2) =>
    success('the group of the link', { ...group, memberCount, isMember, hasAsked: false }, now);
  assert.deepEqual(await show(cyd, token), { status: 200, body: seen(false) });
  const joined = success('you are in the group, or have asked', { groupId, isMember: true }, now);
  assert.deepEqual(await join(cyd, token), { status: 200, body: joined });
  assert.deepEqual(await join(cyd, token), { status: 200, body: joined }, 'a member is not counted again');
  assert.deepEqual(await show(cyd, token), { status: 200, body: seen(true, 3) });
  assert.equal((await roles(groupId))[cyd.accountId], 'member');
  assert.deepEqual(
    (await listed()).map(({ used }) => used),
    [1],
  );
  const messages = await bob.readsIn(groupId);
  assert.deepEqual(
    messages.map(({ from, notice }) => ({ from, notice })),
    [{ from: cyd.accountId, notice: { kind: 'joined', userIds: [cyd.accountId] } }],
  );
});

test('a stranger sees the group of a link without an account, signs up, and joins', async (t) => {
  const { world, groupId, link, stranger, roles } = await linkScene(t);
  const { token } = await link();
  const shown = await stranger().calls('POST', '/group-links/show', { token });
  assert.deepEqual(shown.body.data, {
    groupId,
    name: 'Team',
    isBroadcast: false,
    memberCount: 2,
    needsApproval: false,
  });
  const { accountId, cookie } = await signUpPerson(world.app, { name: 'Dee', password: PASSWORD });
  const dee = new Browser(world, { cookie });
  assert.deepEqual(await dee.gets('POST', `${LINKS}/join`, { token }), { groupId, isMember: true });
  assert.equal((await roles(groupId))[accountId], 'member');
});

test('a link admits nobody to a server that requires an invitation of its operator', async (t) => {
  const { world, link, stranger } = await linkScene(t);
  world.config.signUps = { kind: 'invitation' };
  const { token } = await link();
  assert.equal((await stranger().calls('POST', '/group-links/show', { token })).status, 200);
  const account = { email: 'dee@example.com', password: PASSWORD, name: 'Dee' };
  for (const invitation of [token, undefined]) {
    const { status } = await stranger().calls('POST', '/sign-up', { ...account, invitation });
    assert.equal(status, 403);
  }
});

test('administrators make, see and revoke links, each also those of others; nobody else does', async (t) => {
  const { world, bot, ada, bob, others, groupId, make, link, listed, revoke, join } = await linkScene(t);
  const [cyd] = others as [Person];
  const told: string[] = [];
  t.after(world.live.subscribe(groupId, ({ type }) => told.push(type)));
  const { linkId, token } = await link();
  assert.deepEqual(told.splice(0), ['group.changed']);
  assert.deepEqual(await make({}, bob), NO_ADMIN);
  assert.deepEqual(await make({}, cyd), OUTSIDER);
  assert.deepEqual(await make({ groupId: UNKNOWN_GROUP }), NO_GROUP);
  assert.deepEqual(await revoke(bob, linkId), NO_ADMIN);
  assert.deepEqual(await revoke(cyd, linkId), OUTSIDER);
  assert.equal((await bob.calls('GET', `${LINKS}?groupId=${groupId}`)).status, 403);
  await world.groups.changeRole(asUser(ada), { groupId, memberId: bob.accountId, isAdmin: true });
  assert.equal((await listed(bob))[0]?.linkId, linkId);
  told.length = 0;
  assert.equal((await revoke(bob, linkId)).status, 200);
  assert.deepEqual(told.splice(0), ['group.changed']);
  assert.deepEqual(await revoke(ada, linkId), missing('the group has no such invitation link'));
  assert.deepEqual(await join(cyd, token), GONE);
  for (const [wrong, message] of [
    [{ expiresInSeconds: 59 }, 'expiresInSeconds must be'],
    [{ uses: 0 }, 'uses must be'],
    [{ uses: 1.5 }, 'uses must be'],
  ] as const) {
    const { status, body } = await make(wrong);
    assert.equal(status, 400);
    assert.ok((body as { message: string }).message.startsWith(message), JSON.stringify(body));
  }
  for (let i = 0; i < LIMITS.groupLinks; i++) await link();
  assert.deepEqual(
    await make(),
    refusal(429, 'resource-exhausted', 'a group can have at most 20 invitation links; revoke one first'),
  );
  assert.equal(
    (await bot.calls('POST', '/v1/groups/members', { groupId, memberIds: [cyd.accountId] })).status,
    403,
  );
});

/** Each attack on a fresh group; `who` is outside it and must stay there. */
const ATTACKS: Record<
  string,
  (scene: Awaited<ReturnType<typeof linkScene>>, who: Person) => Promise<[actual: Plain, expected: Plain]>
> = {
  'a guessed token': async ({ join, link }, who) => {
    const { token } = await link();
    return [await join(who, `${token.slice(0, 3)}${'A'.repeat(43)}`), GONE];
  },
  'the token with its last bits changed, which stand for the same bytes': async ({ join, link }, who) => {
    const { token } = await link();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(token.at(-1) as string);
    const twin = token.slice(0, -1) + alphabet[last ^ 1];
    assert.deepEqual(Buffer.from(twin, 'base64url'), Buffer.from(token, 'base64url'));
    return [await join(who, twin), GONE];
  },
  'a text that is no token': async ({ join }, who) => [await join(who, "' or true --"), GONE],
  'a token of a bucket that does not exist': async ({ join }, who) => [await join(who, '_'.repeat(46)), GONE],
  'the hash in place of the token': async ({ join, link }, who) => {
    const { linkId } = await link();
    return [await join(who, Buffer.from(linkId, 'hex').toString('base64url').padEnd(46, 'A')), GONE];
  },
  'a revoked link': async ({ ada, join, link, revoke }, who) => {
    const { token, linkId } = await link();
    await revoke(ada, linkId);
    return [await join(who, token), GONE];
  },
  'an expired link': async ({ world, join, link }, who) => {
    const { token } = await link({ expiresInSeconds: 60 });
    world.clock.advance({ minutes: 1 });
    return [await join(who, token), GONE];
  },
  'a used up link': async ({ others, join, link }, who) => {
    const { token } = await link({ uses: 1 });
    await join(others[1] as Person, token);
    return [await join(who, token), GONE];
  },
  'a link of a deleted group': async ({ ada, groupId, join, link }, who) => {
    const { token } = await link();
    await ada.calls('DELETE', '/api/chat/groups/delete', { groupId });
    return [await join(who, token), GONE];
  },
  'a full group': async ({ world, join, link, roles, groupId }, who) => {
    const { token } = await link();
    const { length } = Object.keys(await roles(groupId));
    world.config.maxGroupMembers = length;
    return [
      await join(who, token),
      refusal(429, 'resource-exhausted', `a group can have at most ${length} members`),
    ];
  },
  'an old link, by somebody who was removed': async ({ add, join, link, remove }, who) => {
    const { token } = await link();
    await add(who.accountId);
    await remove(who.accountId);
    return [await join(who, token), NOT_FOR_YOU];
  },
  'a new link, by somebody who was removed': async ({ add, join, link, remove }, who) => {
    await add(who.accountId);
    await remove(who.accountId);
    return [await join(who, (await link()).token), NOT_FOR_YOU];
  },
  'a link of somebody who blocks the person': async ({ ada, join, link }, who) => {
    await ada.blocks(who);
    return [await join(who, (await link()).token), NOT_FOR_YOU];
  },
  'a link of somebody who is no longer an administrator': async (
    { world, ada, bob, groupId, join, link },
    who,
  ) => {
    const role = { groupId, memberId: bob.accountId };
    await world.groups.changeRole(asUser(ada), { ...role, isAdmin: true });
    const { token } = await link({}, bob);
    await world.groups.changeRole(asUser(ada), { ...role, isAdmin: false });
    await world.groups.changeRole(asUser(ada), { ...role, isAdmin: true });
    return [await join(who, token), GONE];
  },
  'a link of a removed administrator': async ({ world, ada, bob, groupId, join, link, remove }, who) => {
    await world.groups.changeRole(asUser(ada), { groupId, memberId: bob.accountId, isAdmin: true });
    const { token } = await link({}, bob);
    await remove(bob.accountId);
    return [await join(who, token), GONE];
  },
  'a link of a suspended administrator': async ({ world, ada, join, link }, who) => {
    const { token } = await link();
    await world.db`update accounts set suspended_until = ${world.clock.now() + 1} where account_id = ${ada.accountId}`;
    return [await join(who, token), GONE];
  },
  'a link of a deleted account': async ({ world, ada, join, link }, who) => {
    const { token } = await link();
    await ada.deletesAccount();
    assert.equal((await world.db`select 1 from group_links`).length, 0);
    return [await join(who, token), GONE];
  },
};

for (const [name, attack] of Object.entries(ATTACKS)) {
  test(`nobody joins by ${name}`, async (t) => {
    const scene = await linkScene(t);
    const who = scene.others[0] as Person;
    const [actual, expected] = await attack(scene, who);
    assert.deepEqual(actual, expected);
    assert.ok(!(who.accountId in (await scene.roles(scene.groupId))));
    const listed = await scene.world.db`
      select 1 from account_conversations
      where account_id = ${who.accountId} and conversation_id = ${scene.groupId}`;
    assert.equal(listed.length, 0);
  });
}

test('a refusal uses nothing up, and whom an administrator adds by name may use links again', async (t) => {
  const { others, groupId, add, join, link, listed, remove, roles } = await linkScene(t);
  const [cyd] = others as [Person];
  const { token } = await link({ uses: 1 });
  await add(cyd.accountId);
  await remove(cyd.accountId);
  assert.deepEqual(await join(cyd, token), NOT_FOR_YOU);
  assert.deepEqual(
    (await listed()).map(({ used }) => used),
    [0],
  );
  await add(cyd.accountId);
  assert.equal((await remove(cyd.accountId, cyd)).status, 200, 'she leaves by herself');
  assert.equal((await join(cyd, token)).status, 200);
  assert.ok(cyd.accountId in (await roles(groupId)));
});

test('of many at once for the last use or the last place, one wins, and uses count only those who are in', async (t) => {
  const { others, groupId, join, link, listed, roles } = await linkScene(t, {
    people: 12,
    maxGroupMembers: 4,
  });
  const statuses = async (uses: number) => {
    const { token } = await link({ uses });
    const answers = await Promise.all(others.map((person) => join(person, token)));
    return answers.map(({ status }) => status).sort();
  };
  assert.deepEqual(await statuses(1), [200, ...Array(9).fill(404)]);
  assert.deepEqual(await statuses(5), [200, 200, ...Array(8).fill(429)], 'one is in the group already');
  assert.equal(Object.keys(await roles(groupId)).length, 4);
  assert.deepEqual(
    (await listed()).map(({ used }) => used),
    [1],
  );
});

test('a person joins while a link is revoked, or while they are removed: the last word counts', async (t) => {
  const { ada, others, groupId, join, link, remove, revoke, roles } = await linkScene(t);
  const [cyd, dan] = others as [Person, Person];
  for (let round = 0; round < 5; round++) {
    const { token, linkId } = await link();
    const [joined] = await Promise.all([join(cyd, token), revoke(ada, linkId)]);
    assert.equal(cyd.accountId in (await roles(groupId)), joined.status === 200);
    assert.deepEqual(await join(dan, token), GONE);
    await remove(cyd.accountId, cyd);
  }
  const { token } = await link();
  await join(dan, token);
  await Promise.all([remove(dan.accountId), ...Array.from({ length: 5 }, () => join(dan, token))]);
  assert.ok(!(dan.accountId in (await roles(groupId))));
});

test('after fifty wrong links, more wrong ones get a 429, and right ones work', async (t) => {
  const { others, join, link, stranger } = await linkScene(t);
  const [cyd, dan] = others as [Person, Person];
  const { token } = await link();
  const wrong = (i: number) => token.slice(0, 40) + String(i).padStart(6, '0');
  const visitor = (address: string, tried: string) =>
    stranger(address).calls('POST', '/group-links/show', { token: tried });
  for (let i = 0; i < 50; i++) {
    assert.equal((await visitor(`198.51.100.${i}`, wrong(i))).status, 404);
    assert.deepEqual(await join(cyd, wrong(i)), GONE);
  }
  const refused = await visitor('198.51.100.200', wrong(50));
  assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.equal((await join(cyd, wrong(50))).status, 429);
  assert.deepEqual(await join(dan, wrong(50)), GONE);
  assert.equal((await visitor('203.0.113.1', wrong(50))).status, 404);
  assert.equal((await visitor('198.51.100.200', token)).status, 200);
  assert.equal((await join(cyd, token)).status, 200);
});

test('a broadcast list: only its creator makes links, and its readers do not learn who joins', async (t) => {
  const { ada, bob, others, groupOf } = await linkScene(t);
  const [cyd] = others as [Person];
  const groupId = await groupOf(ada, [bob], { isBroadcast: true });
  assert.equal((await bob.calls('POST', LINKS, { groupId })).status, 403);
  const { path } = (await ada.calls('POST', LINKS, { groupId })).body.data;
  assert.equal((await cyd.calls('POST', `${LINKS}/join`, { token: path.split('#')[1] })).status, 200);
  assert.deepEqual(await bob.readsIn(groupId), []);
});

test("a person's own settings about being added do not keep them from joining", async (t) => {
  const { others, groupId, join, link, roles } = await linkScene(t);
  const [cyd] = others as [Person];
  await cyd.calls('PATCH', '/api/auth/profile', { whoMayAddMe: 'nobody' });
  assert.equal((await join(cyd, (await link()).token)).status, 200);
  assert.ok(cyd.accountId in (await roles(groupId)));
});

test('an export has the links of a person and the groups from which they were removed; a deletion leaves nothing', async (t) => {
  const { world, ada, others, groupId, add, link, remove } = await linkScene(t);
  const [cyd] = others as [Person];
  const { token } = await link({ uses: 3 });
  await add(cyd.accountId);
  await remove(cyd.accountId);
  const exported = async (person: Person) => (await person.calls('GET', '/api/auth/export')).body;
  const now = world.clock.now();
  const { groups } = await exported(ada);
  assert.deepEqual(groups[0].links, [
    { createdAt: now, expiresAt: null, uses: 3, used: 0, needsApproval: false },
  ]);
  assert.ok(!JSON.stringify(groups).includes(token));
  assert.deepEqual((await exported(cyd)).removedFromGroups, [{ groupId, removedAt: now }]);
  await cyd.deletesAccount();
  assert.equal((await world.db`select 1 from removed_members`).length, 0);
});

test('by a link with approval people ask, and an administrator lets them in or refuses', async (t) => {
  const scene = await linkScene(t);
  const { world, bot, ada, bob, others, groupId, link, join, show, asking, decide, listed, roles } = scene;
  const [cyd, dan] = others as [Person, Person];
  const heard: LiveEvent[] = [];
  t.after(world.live.subscribe(groupId, (event) => void heard.push(event)));
  const { token } = await link({ needsApproval: true, uses: 2 });
  const waits = success(
    'you are in the group, or have asked',
    { groupId, isMember: false },
    world.clock.now(),
  );
  assert.deepEqual(await join(cyd, token), { status: 200, body: waits });
  assert.deepEqual(await join(cyd, token), { status: 200, body: waits }, 'nobody asks twice');
  assert.deepEqual(
    (await listed()).map(({ used }) => used),
    [1],
  );
  const seen = (await show(cyd, token)).body as { data: object };
  assert.deepEqual(seen.data, {
    groupId,
    name: 'Team',
    isBroadcast: false,
    memberCount: 2,
    needsApproval: true,
    isMember: false,
    hasAsked: true,
  });
  await join(dan, token);
  const shownTo = async (person: Person) =>
    (await person.calls('GET', `/api/chat/conversations/${groupId}`)).body.data.joinRequestCount;
  assert.equal(await shownTo(ada), 2);
  const { body } = await bob.calls('GET', `/api/chat/conversations/${groupId}`);
  assert.ok(!JSON.stringify(body).includes('joinRequestCount'), 'a member who is no administrator');
  assert.ok(
    heard.length > 0 && !JSON.stringify(heard).includes('joinRequestCount'),
    'the topic of all members',
  );
  assert.equal((await bot.calls('GET', '/v1/groups')).body.data.groups.length, 0);
  assert.deepEqual((await asking()).sort(), [cyd.accountId, dan.accountId].sort());
  assert.ok(!(cyd.accountId in (await roles(groupId))));

  assert.equal((await bob.calls('GET', `${REQUESTS}?groupId=${groupId}`)).status, 403);
  assert.deepEqual(await decide(cyd, true, bob), NO_ADMIN);
  assert.deepEqual(await decide(cyd, true, cyd), OUTSIDER);
  assert.deepEqual(await decide(bob, true), DECIDED);
  assert.equal((await decide(cyd, true)).status, 200);
  assert.deepEqual(await decide(cyd, false), DECIDED);
  assert.equal((await roles(groupId))[cyd.accountId], 'member');
  const messages = await bob.readsIn(groupId);
  assert.deepEqual(
    messages.map(({ from, notice }) => ({ from, notice })),
    [{ from: cyd.accountId, notice: { kind: 'joined', userIds: [cyd.accountId] } }],
  );
  assert.equal((await decide(dan, false)).status, 200);
  assert.deepEqual(await join(dan, (await link()).token), NOT_FOR_YOU);
  assert.equal(await shownTo(ada), undefined);
  assert.deepEqual(await asking(), []);
});

test('who asks may come in by another way, and the rules of joining hold when they are accepted', async (t) => {
  const { world, ada, others, groupId, add, link, join, asking, decide, roles } = await linkScene(t);
  const [cyd, dan, eve] = others as [Person, Person, Person];
  const { token } = await link({ needsApproval: true });
  for (const person of [cyd, dan, eve]) await join(person, token);
  await add(cyd.accountId);
  await join(dan, (await link()).token);
  assert.deepEqual(await asking(), [eve.accountId]);
  world.config.maxGroupMembers = 4;
  const full = refusal(429, 'resource-exhausted', 'a group can have at most 4 members');
  assert.deepEqual(await decide(eve, true), full);
  assert.deepEqual(await asking(), [eve.accountId]);
  world.config.maxGroupMembers = 10;
  const answers = await Promise.all(Array.from({ length: 4 }, () => decide(eve, true)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(Object.keys(await roles(groupId)).length, 5);
  const { memberCount } = (await ada.calls('GET', `/api/chat/conversations/${groupId}`)).body.data.group;
  assert.equal(memberCount, 5);
});

test('a request is in the export, and gone with the account or the group, like links and removals', async (t) => {
  const { world, ada, others, groupId, add, remove, link, join, asking } = await linkScene(t);
  const [cyd, dan, eve] = others as [Person, Person, Person];
  const { token } = await link({ needsApproval: true });
  await join(cyd, token);
  await join(dan, token);
  const requestedAt = world.clock.now();
  const { requestsToJoin } = (await cyd.calls('GET', '/api/auth/export')).body;
  assert.deepEqual(requestsToJoin, [{ groupId, requestedAt }]);
  await cyd.deletesAccount();
  assert.deepEqual(await asking(), [dan.accountId]);
  assert.equal((await ada.calls('GET', `/api/chat/conversations/${groupId}`)).body.data.joinRequestCount, 1);
  await add(eve.accountId);
  await remove(eve.accountId);
  const rows = () => world.db`
    select 'request' from join_requests union all select 'link' from group_links
    union all select 'removal' from removed_members`;
  assert.equal((await rows()).length, 3);
  await ada.calls('DELETE', '/api/chat/groups/delete', { groupId });
  assert.equal((await rows()).length, 0);
});

test('at most two hundred people ask at one time', async (t) => {
  const { world, others, groupId, link, join } = await linkScene(t);
  const { token } = await link({ needsApproval: true });
  await world.db`update groups set join_request_count = ${LIMITS.joinRequests} where group_id = ${groupId}`;
  const { status } = await join(others[0] as Person, token);
  assert.equal(status, 429);
  assert.equal((await world.db`select 1 from join_requests`).length, 0);
});
