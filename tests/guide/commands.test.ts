import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '#testing/waits.ts';
import { Browser } from '../browser.ts';
import { readCommandBlocks, toScript } from '../operate/doc-commands.ts';
import { readGuidePages, readNamedFiles } from './pages.ts';
import { createReader, type Reader } from './reader.ts';

const SDK_QUICKSTART = 'docs/guide/quickstart-sdk.md';
const [SDK, EXAMPLES] = ['docs/guide/sdk.md', 'docs/guide/examples.md'];
/** Pages whose commands run in a folder of the reader's. */
const APART = [SDK_QUICKSTART, SDK, EXAMPLES];

const pages = await readGuidePages();
const files = await readNamedFiles(pages);
let reader: Reader;

before(async () => {
  reader = await createReader();
});
after(() => reader?.[Symbol.asyncDispose]());

/** One shell for all pages, since later ones use the results of earlier ones. */
async function scriptOf(...chosen: (string | undefined)[]): Promise<string> {
  return toScript(await readCommandBlocks(chosen.filter((page) => page !== undefined)));
}

/** A folder after `npm init --yes` of npm 11, and the commands of a page in it. */
async function inFolder(name: string, page: string | undefined): Promise<{ folder: string; script: string }> {
  const folder = join(reader.directory, name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  return { folder, script: `cd ${name}\n${await scriptOf(page)}` };
}

test('every command in the guide runs, page after page in one shell', async () => {
  for (const file of files.filter(({ page }) => !APART.includes(page))) await reader.saves(file);
  const output = await reader.runs(await scriptOf(...pages.filter((page) => !APART.includes(page))));
  const part = (page: string) =>
    output
      .split('# docs/guide/')
      .filter((text) => text.startsWith(`${page}.md:`))
      .join('');
  assert.match(part('quickstart'), /"textMsg":"Hello","from":"usr_/);
  assert.match(part('concepts'), /"scopes":\["messages:send","groups:manage"/);
  const repeated = [...part('concepts').matchAll(/"data":\{"msgId":"(msg_\w+)"\}/g)].map(([, id]) => id);
  assert.equal(repeated.at(-1), repeated.at(-2));
  assert.match(part('webhooks'), /verified: \{"type":"message.received","data":/);
  assert.match(part('events'), /"hasMore":false/);
  assert.match(part('events'), /event: message\.received\n/);
  assert.match(part('oauth'), /"authorization_endpoint":/);
  assert.match(part('incoming-webhooks'), /\nokok/);
  assert.match(part('mcp'), /"name":"sendMessage"[\s\S]*"msgId\\?":\\?"msg_[\s\S]*\/docs\/guide\/mcp\)/);
  assert.match(part('errors'), /"code":"invalid-argument"/);
  assert.match(part('limits'), /ratelimit-limit: 60\r?\n/i);
  assert.match(part('versions'), /^1\.1\.0$/m);
});

test('the quickstart with the SDK results in a bot that answers', async () => {
  const [bot] = files.filter(({ page }) => page === SDK_QUICKSTART);
  assert.ok(bot);
  const script = await scriptOf(SDK_QUICKSTART);
  const save = `cat > ${bot.name} <<'END'\n${bot.text}END\n`;
  const output = await reader.runs(script.replace('node bot.mjs &', `${save}node bot.mjs &`));
  assert.match(output, /You wrote: Hello/);
});

test('the SDK installs, and an example from its page answers', async () => {
  await reader.runs((await inFolder('sdk-page', SDK)).script);
  const { folder, script } = await inFolder('examples-page', EXAMPLES);
  await copyFile('examples/poll-bot.ts', join(folder, 'poll-bot.ts'));
  const grace = new Browser(reader.server.url);
  await grace.post('/api/auth/sign-up', {
    email: 'hopper@example.com',
    password: 'correct horse',
    name: 'Grace',
  });
  const { appId, apiKey } = await grace.post<Record<'appId' | 'apiKey', string>>(
    '/api/console/applications',
    { name: 'Polls' },
  );
  const { userId: to } = await grace.post(`/api/console/applications/${appId}/bot`, {
    username: 'polls_bot',
  });
  await grace.post('/api/chat/messages', { to, type: 'text', content: '/close' });
  const running = reader.runs(
    `PATH=${resolve('node_modules/.bin')}:$PATH\n${script
      .replace('xk_live_…', apiKey)
      .replace(
        'node poll-bot.ts',
        'node poll-bot.ts & until test -e answered; do kill -0 $!; sleep 0.1; done',
      )}`,
  );
  const isAnswered = async () =>
    JSON.stringify(await grace.get('/api/chat/conversations')).includes('There is no open poll here.');
  await Promise.race([running, eventually(isAnswered)]);
  await writeFile(join(folder, 'answered'), '');
  await running;
});
