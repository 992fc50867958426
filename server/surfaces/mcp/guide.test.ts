import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mcpScene } from '#testing/mcp-scene.ts';
import { eventually } from '#testing/waits.ts';

test('both settings in the guide connect a client, and its arguments stream a message and ask a question', async (t) => {
  const { world, url, allows, call } = await mcpScene(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  await allows(bot);
  await ada.writes(bot, 'hi');
  const page = await readFile('docs/guide/mcp.md', 'utf8');
  const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => JSON.parse(json));
  const [{ servers }, { mcpServers }, question, step] = blocks;
  const settings = [servers.parley, mcpServers.parley];
  for (const [i, { type, url: address, headers }] of settings.entries()) {
    assert.equal(type, 'http');
    const requestInit = { headers: { Authorization: headers.Authorization.replace(/\$\{.*\}/, bot.key) } };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(address.replace('http://localhost:3000', url)), {
        requestInit,
      }),
    );
    t.after(() => client.close());
    const to = ada.accountId;
    assert.deepEqual(await call(client, 'stream_message', { ...step, to }), { shown: true });
    const asking = call(client, 'ask_person', { ...question, to });
    await eventually(async () => {
      const asked = (await ada.reads(bot)).filter(({ content }) => content === question.content);
      return asked.length === i + 1;
    });
    await ada.writes(bot, 'Yes');
    assert.equal((await asking).answer.textMsg, 'Yes');
  }
});
