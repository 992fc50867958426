import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAT } from '#contract/api/chat.ts';
import { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import { OPERATE } from '#contract/api/operate.ts';
import { SIMULATOR } from '#contract/api/simulator.ts';
import { V1 } from '#contract/api/v1.ts';
import { operatorScene } from '#testing/operator-scene.ts';

/** Parameters that name the entry at which a page begins. */
const CURSORS = ['cursor', 'before', 'after'];
/** A page that reconnects with another cursor is told to reload. */
const WITHOUT = ['GET /api/chat/live'];

test('a cursor that is no id of the list is 400 with its name at every list of pages', async (t) => {
  const { world, operator } = await operatorScene(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  const { conversationId } = await ada.writes(bot, 'hi');
  const { groupId } = (await bot.calls('POST', '/v1/groups', { name: 'Team', members: [ada.accountId] })).body
    .data;
  const tests = `/api/console/applications/${bot.appId}/simulator/messages`;
  assert.equal((await bot.owner.calls('POST', tests, { type: 'text', content: 'hi' })).status, 201);
  const callers = { person: ada, developer: bot.owner, actor: bot, operator, tester: bot.owner };
  const tried: string[] = [];
  for (const { audience, prefix, endpoints } of [V1, CHAT, CONSOLE, APPLICATION, SIMULATOR, OPERATE]) {
    const values: Record<string, string> = {
      conversationId: audience === 'actor' ? ada.accountId : conversationId,
      ...{ groupId, appId: bot.appId, words: 'hi' },
    };
    const caller = callers[audience];
    for (const [key, entry] of Object.entries(endpoints)) {
      const [method, path = ''] = key.split(' ');
      const query = 'query' in entry ? Object.keys(entry.query.properties) : [];
      const url = prefix + path.replace(/:(\w+)/g, (_, name) => String(values[name]));
      for (const field of query.filter((name) => CURSORS.includes(name))) {
        if (WITHOUT.includes(`${method} ${url}`)) continue;
        const others = query.flatMap((name) => (values[name] ? `&${name}=${values[name]}` : []));
        const { status, body } = await caller.calls('GET', `${url}?${field}=x${others.join('')}`);
        assert.equal(status, 400, `${url}: ${field}`);
        assert.match(body.message, new RegExp(`^${field} `), url);
        tried.push(`${method} ${path}`);
      }
    }
  }
  assert.ok(tried.length > 15, tried.join(', '));
});
