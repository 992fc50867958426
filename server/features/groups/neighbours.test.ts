import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupScene } from '#testing/group-scene.ts';
import type { Person } from '#testing/world.ts';

const GROUPS = '/api/chat/groups';

test('whatever happens in a group, another one with the same people stays as it is', async (t) => {
  const { world, bot, people, groupOf, roles } = await groupScene(t, { people: 6 });
  const [ada, bob, cleo, dan, eve, fred] = people as [Person, Person, Person, Person, Person, Person];
  const does = async (who: Person, method: 'POST' | 'PATCH' | 'DELETE', url: string, body: object) => {
    const answer = await who.calls(method, `${GROUPS}${url}`, body);
    assert.ok(answer.status < 300, `${url}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const tokenOf = ({ path }: { path: string }) => path.split('#')[1];
  /** A group in which Bob is an administrator, Dan was removed, both administrators have made links, and Fred asks to join. */
  const make = async () => {
    const groupId = await groupOf(ada, [bob, cleo, dan, bot]);
    await does(ada, 'PATCH', '/members/role', { groupId, memberId: bob.accountId, isAdmin: true });
    await does(ada, 'POST', '/members/remove', { groupId, memberId: dan.accountId });
    const links = [];
    for (const maker of [ada, bob]) links.push(await does(maker, 'POST', '/links', { groupId, uses: 5 }));
    const asking = await does(ada, 'POST', '/links', { groupId, needsApproval: true });
    await does(fred, 'POST', '/links/join', { token: tokenOf(asking) });
    return { groupId, links, asking };
  };
  const [one, other] = [await make(), await make()];
  const { groupId } = one;
  const rows = async () => {
    const tables = ['groups', 'members', 'group_links', 'removed_members', 'join_requests'];
    const found = await Promise.all([
      ...tables.map(
        (table) =>
          world.db<{ row: string }[]>`
          select to_jsonb(${world.db(table)}.*)::text as row from ${world.db(table)}
          where group_id = ${other.groupId} order by 1`,
      ),
      world.db<{ row: string }[]>`
        select to_jsonb(account_conversations.*)::text as row from account_conversations
        where conversation_id = ${other.groupId} order by 1`,
    ]);
    return found.map((of) => of.map(({ row }) => row));
  };
  const before = await rows();
  assert.deepEqual(
    before.map((of) => of.length),
    [1, 4, 3, 1, 1, 4],
  );
  const isUntouched = async () => assert.deepEqual(await rows(), before);

  await does(ada, 'PATCH', '/details', { groupId, name: 'Renamed' });
  await does(ada, 'PATCH', '/members/role', { groupId, memberId: cleo.accountId, isAdmin: true });
  await isUntouched();
  await does(ada, 'POST', '/members', { groupId, memberIds: [dan.accountId] });
  await does(ada, 'POST', '/members/remove', { groupId, memberId: cleo.accountId });
  await isUntouched();
  await does(eve, 'POST', '/links/join', { token: tokenOf(one.asking) });
  const asking = async () => {
    const { body } = await ada.calls('GET', `${GROUPS}/join-requests?groupId=${groupId}`);
    return body.data.requests.map(({ userId }: { userId: string }) => userId).sort();
  };
  assert.deepEqual(await asking(), [fred.accountId, eve.accountId].sort());
  const decision = { groupId, userId: fred.accountId, isAccepted: false };
  await does(ada, 'POST', '/join-requests/decide', decision);
  assert.equal((await ada.calls('POST', `${GROUPS}/join-requests/decide`, decision)).status, 404);
  await isUntouched();
  await does(eve, 'POST', '/links/join', { token: tokenOf(one.links[0]) });
  await does(eve, 'POST', '/members/remove', { groupId, memberId: eve.accountId });
  await isUntouched();
  const listed = await ada.calls('GET', `${GROUPS}/links?groupId=${groupId}`);
  assert.equal(listed.body.data.links.length, 3);
  const { linkId } = other.links[0] as { linkId: string };
  assert.equal((await ada.calls('POST', `${GROUPS}/links/revoke`, { groupId, linkId })).status, 404);
  await does(bob, 'POST', '/links/revoke', { groupId, linkId: (one.links[1] as { linkId: string }).linkId });
  await does(bob, 'POST', '/members/remove', { groupId, memberId: bob.accountId });
  await isUntouched();
  assert.deepEqual(await roles(groupId), {
    [ada.accountId]: 'admin',
    [dan.accountId]: 'member',
    [bot.accountId]: 'member',
  });
  const [left] = await world.db<{ memberCount: number; links: number }[]>`
    select member_count, (select count(*)::integer from group_links where group_id = ${groupId}) as links
    from groups where group_id = ${groupId}`;
  assert.deepEqual({ ...left }, { memberCount: 3, links: 2 });
  await does(ada, 'DELETE', '/delete', { groupId });
  await isUntouched();
  const conversations = await dan.calls('GET', '/api/chat/conversations');
  assert.ok(!JSON.stringify(conversations.body).includes(groupId));
});
