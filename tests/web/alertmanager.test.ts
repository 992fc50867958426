import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFreePort } from '#testing/free-port.ts';
import { groupScene } from '#testing/group-scene.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { eventually } from '#testing/waits.ts';
import type { Person } from '#testing/world.ts';
import { openWindow, startChromium } from '../chromium.ts';

const PROGRAM = 'prometheus-alertmanager';

/** Alertmanager's two integrations, each with a URL of its own. */
const configOf = (slackUrl: string, webhookUrl: string) => `
route: { receiver: chat, group_by: [alertname], group_wait: 0s, group_interval: 1s }
receivers:
  - name: chat
    slack_configs:
      - api_url: ${slackUrl}
        send_resolved: true
        title: '{{ .Status | toUpper }} by Slack'
        text: '*{{ .CommonAnnotations.summary }}*'
    webhook_configs:
      - url: ${webhookUrl}
`;

test('Debian’s Alertmanager posts a firing and a resolved alert with both of its configs, as the chat shows', async (t) => {
  const port = await findFreePort();
  const { world, bot, people, groupOf } = await groupScene(t, {
    people: 1,
    config: { publicUrl: `http://localhost:${port}` },
  });
  const [ada] = people as [Person];
  await world.app.listen({ port, host: 'localhost' });
  const groupId = await groupOf(ada, [bot]);
  await world.applications.switchExtension(
    { appId: bot.appId, actorId: bot.owner.accountId },
    { extension: 'incoming_webhooks', isOn: true },
  );
  const make = async (name: string) =>
    (await world.incomingWebhooks.create(ada.accountId, { groupId, botId: bot.accountId, name })).url;

  const folder = await scratchFolder(t);
  const config = join(folder, 'alertmanager.yml');
  await writeFile(config, configOf(await make('Slack'), await make('Webhook')));
  const address = `127.0.0.1:${await findFreePort()}`;
  const alertmanager = spawn(
    PROGRAM,
    [
      `--config.file=${config}`,
      `--storage.path=${folder}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  t.after(async () => {
    alertmanager.kill();
    if (alertmanager.exitCode === null) await once(alertmanager, 'exit');
  });

  const alert = {
    labels: { alertname: 'DiskFull', instance: 'db1' },
    annotations: { summary: 'db1 is full' },
  };
  const post = (more: object) =>
    fetch(`http://${address}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ ...alert, ...more }]),
    }).then(({ status }) => status);
  const chromium = await startChromium();
  t.after(() => chromium.close());
  const { page } = await openWindow(chromium, { locale: 'en-GB' });
  const [name = '', value = ''] = ada.cookie.split('=');
  await page.context().addCookies([{ name, value, url: world.config.publicUrl ?? '' }]);
  await page.goto(`${world.config.publicUrl}/c/${groupId}`);
  const log = page.getByRole('log');
  await log.waitFor();

  // It starts when it starts.
  await eventually(async () => (await post({}).catch(() => 0)) === 200);
  await log.getByRole('link', { name: 'FIRING by Slack' }).waitFor();
  await log.getByText('🔴 Firing: DiskFull').waitFor();
  assert.equal(await post({ endsAt: new Date().toISOString() }), 200);
  await log.getByRole('link', { name: 'RESOLVED by Slack' }).waitFor();
  await log.getByText('🟢 Resolved: DiskFull').waitFor();
  await log.getByText('db1 is full').nth(3).waitFor();
});
