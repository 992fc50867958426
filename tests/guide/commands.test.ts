import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readCommandBlocks } from '../operate/doc-commands.ts';
import { readGuidePages, readNamedFiles } from './pages.ts';
import { createReader, type Reader } from './reader.ts';

const SDK_QUICKSTART = 'docs/guide/quickstart-sdk.md';

const pages = await readGuidePages();
const files = await readNamedFiles(pages);
let reader: Reader;

before(async () => {
  reader = await createReader();
});
after(() => reader?.[Symbol.asyncDispose]());

/** One shell for all pages, since later ones use what earlier ones left. */
async function scriptOf(chosen: readonly string[]): Promise<string> {
  const blocks = (await readCommandBlocks(chosen)).filter(({ isForHost }) => !isForHost);
  return blocks.map(({ page, line, commands }) => `echo '# ${page}:${line}'\n${commands}`).join('\n');
}

test('every command of the guide runs, page after page in one shell', async () => {
  for (const file of files.filter(({ page }) => page !== SDK_QUICKSTART)) await reader.saves(file);
  const output = await reader.runs(await scriptOf(pages.filter((page) => page !== SDK_QUICKSTART)));
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
  assert.match(part('errors'), /"code":"invalid-argument"/);
  assert.match(part('limits'), /ratelimit-limit: 60\r?\n/i);
  assert.match(part('versions'), /^1\.1\.0$/m);
});

test('the quickstart with the SDK leads to a bot that answers', async () => {
  const [bot] = files.filter(({ page }) => page === SDK_QUICKSTART);
  assert.ok(bot);
  const script = await scriptOf([SDK_QUICKSTART]);
  const save = `cat > ${bot.name} <<'END'\n${bot.text}END\n`;
  const output = await reader.runs(script.replace('node bot.mjs &', `${save}node bot.mjs &`));
  assert.match(output, /You wrote: Hello/);
});
