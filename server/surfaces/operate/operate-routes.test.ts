import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { installServiceAccount } from '#features/accounts/index.ts';
import type { AccountHolder } from '#testing/account-scene.ts';
import { COMPANY } from '#testing/openid-provider.ts';
import { type OperatorScene, operatorScene } from '#testing/operator-scene.ts';
import { findRoutes, pathParametersOf, type Route } from '#testing/routes.ts';

/** A body for every route that changes something; routes ignore unknown fields. */
const BODY = {
  reason: 'x',
  requestsPerMinute: 7,
  decision: 'nothing',
  text: { en: 'x' },
  // The day after the test clock's.
  until: Date.UTC(2026, 10, 22),
  days: 1,
  note: 'x',
  uses: 1,
  isLine: true,
  isMessage: true,
  expiresAt: 32_503_680_000_000,
};
const SHOWN = 'handed over';
const CANARY = 'sealed words';

interface Scene extends OperatorScene {
  /** The registered routes of `/api/operate`; those that delete come last. */
  routes: Route[];
  /** Valid path parameters. A route with a new parameter needs a value here. */
  known: Record<string, string>;
}

/** People write to each other, in a group and to a bot; one of the messages is reported. */
async function scene(t: TestContext): Promise<Scene> {
  const made = await operatorScene(t);
  const { world, holder, operator } = made;
  await installServiceAccount(world);
  const [ada, eve, bot] = [await holder('Ada'), await holder('Eve'), await world.bot()];
  const write = (from: AccountHolder, body: object) => from.gets('POST', '/api/chat/messages', body);
  const { conversationId, msgId } = await write(eve, { to: ada.accountId, type: 'text', content: SHOWN });
  for (const to of [ada, bot]) await write(eve, { to: to.accountId, type: 'text', content: CANARY });
  const picture = { type: 'image', fileUrl: 'https://example.com/a.png', caption: CANARY };
  await write(ada, { to: eve.accountId, ...picture });
  const { groupId } = await ada.gets('POST', '/api/chat/groups', { name: 'Team', members: [eve.accountId] });
  await ada.gets('POST', '/api/chat/groups/messages', { groupId, type: 'text', content: CANARY });
  const report = { conversationId, userId: eve.accountId, reason: 'abuse', msgIds: [msgId] };
  const { reportId } = await ada.gets('POST', '/api/chat/reports', report);
  const { invitationId } = await operator.gets('POST', '/api/operate/invitations', BODY);
  const { announcementId } = await operator.gets('POST', '/api/operate/announcements', BODY);
  const { providerId } = await operator.gets('POST', '/api/operate/providers', COMPANY);
  const routes = (await findRoutes(world)).filter(({ url }) => url.startsWith('/api/operate'));
  assert.ok(routes.length >= 18);
  return {
    ...made,
    routes: routes.sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE')),
    known: {
      accountId: eve.accountId,
      appId: bot.appId,
      reportId,
      invitationId,
      announcementId,
      providerId,
      conversationId,
      groupId,
    },
  };
}

function pathOf(route: Route, known: Scene['known']): string {
  const path = pathParametersOf(route).reduce((url, name) => {
    assert.ok(known[name], `${route.name}: this test has no value for ${name}`);
    return url.replace(`:${name}`, known[name]);
  }, route.url);
  return 'query' in route.querySchemas ? `${path}?query=e` : path;
}

const bodyOf = ({ conversationId }: Scene['known']) => ({ ...BODY, conversationId });

const ask = (who: AccountHolder, route: Route, known: Scene['known']) =>
  who.calls(route.method as 'GET', pathOf(route, known), route.method === 'GET' ? undefined : bodyOf(known));

test('every route works only for operators with a second factor, and does nothing for others', async (t) => {
  const { world, operator, holder, enrols, routes, known } = await scene(t);
  const [person, developer, half, gone] = [await holder(), await holder(), await holder(), await holder()];
  await developer.gets('POST', '/api/console/applications', { name: 'Weather' });
  for (const { email } of [half, gone]) await world.operators.addOperator(email);
  await enrols(gone);
  const suspension = await operator.calls('POST', `/api/operate/people/${gone.accountId}/suspension`, {
    reason: 'spam',
  });
  assert.equal(suspension.status, 200);
  const state = async () => {
    const [row] = await world.db`
      select (select json_agg(a order by account_id) from accounts a) as accounts,
        (select json_agg(a order by app_id) from applications a) as applications,
        (select json_agg(r order by report_id) from reports r) as reports, (select json_agg(o order by account_id) from operators o) as operators,
        (select json_agg(h order by conversation_id) from conversation_retention h) as holds,
        (select json_agg(i order by value) from sign_up_invitations i) as invitations,
        (select json_agg(n order by n::text) from announcements n) as announcements,
        (select json_agg(m order by m::text) from maintenance m) as maintenance,
        (select json_agg(p order by p::text) from sign_in_providers p) as providers,
        (select count(*)::integer from sessions) as sessions, (select count(*)::integer from messages) as messages,
        (select count(*)::integer from operator_acts) as acts`;
    return row;
  };
  const before = await state();
  // Nobody is asked to confirm an old sign-in only to be refused.
  world.clock.advance({ minutes: 11 });
  for (const route of routes) {
    const statuses = [];
    for (const who of [person, developer, half, gone]) statuses.push((await ask(who, route, known)).status);
    // The suspension has ended the last person's session.
    assert.deepEqual(statuses, [404, 404, 403, 401], route.name);
  }
  assert.deepEqual(await state(), before);
});

test('routes about a person know no bot, no test person and no deleted account', async (t) => {
  const { world, operator, holder, routes, known } = await scene(t);
  const bot = await world.bot();
  const { body } = await bot.owner.calls('GET', `/api/console/applications/${bot.appId}/simulator`);
  const gone = await holder();
  await gone.gets('POST', '/api/auth/account/delete', { email: gone.email });
  for (const accountId of [bot.accountId, body.data.testPerson.userId, gone.accountId]) {
    for (const route of routes.filter(({ url }) => url.includes(':accountId'))) {
      // Limits take no unknown field.
      const body = Object.fromEntries(
        Object.entries(BODY).filter(([name]) => route.bodyFields.includes(name)),
      );
      const path = pathOf(route, { ...known, accountId });
      const { status, reason } = await operator.calls(
        route.method as 'GET',
        path,
        route.method === 'GET' ? undefined : body,
      );
      assert.deepEqual([status, reason], [404, 'account.unknown'], route.name);
    }
  }
});

test('no route shows operators messages that were not reported', async (t) => {
  const { world, operator, routes, known } = await scene(t);
  const answered: string[] = [];
  for (const route of routes) {
    const answer = await world.app.inject({
      method: route.method as 'GET',
      url: pathOf(route, known),
      headers: { cookie: operator.cookie ?? '', 'sec-fetch-site': 'same-origin' },
      ...(route.method !== 'GET' && { payload: bodyOf(known) }),
    });
    assert.ok(answer.statusCode < 500, `${route.name}: ${answer.body}`);
    if (route.method === 'GET') assert.equal(answer.statusCode, 200, `${route.name}: ${answer.body}`);
    assert.doesNotMatch(answer.body, new RegExp(CANARY), route.name);
    if (answer.body.includes(SHOWN)) answered.push(route.name);
  }
  assert.deepEqual(answered.sort(), [
    'GET /api/operate/reports/:reportId',
    'POST /api/operate/reports/:reportId/decision',
  ]);
});
