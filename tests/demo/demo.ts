import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '#testing/certificates.ts';
import { Browser } from '../browser.ts';
import { startParley } from '../processes.ts';
import { createHome } from '../scratch.ts';
import type { BotReport } from './bot.ts';

/** The person's messages: one of each of the 8 types (contract §2). */
const MESSAGES = [
  { type: 'text', content: 'Hello, are you there?' },
  { type: 'image', fileUrl: 'https://cdn.example.com/cat.png', caption: 'my cat' },
  {
    type: 'video',
    fileUrl: 'https://cdn.example.com/cat.mp4',
    thumbnailUrl: 'https://cdn.example.com/cat.png',
  },
  { type: 'audio', fileUrl: 'https://cdn.example.com/purr.m4a' },
  { type: 'doc', fileUrl: 'https://cdn.example.com/care.pdf', caption: 'how to care for her' },
  { type: 'gif', fileUrl: 'https://cdn.example.com/jump.gif' },
  { type: 'sticker', fileUrl: 'https://cdn.example.com/paw.webp' },
  { type: 'location', location: { latitude: 48.8584, longitude: 2.2945, name: 'Eiffel Tower' } },
];
const TIME_LIMIT_MS = 30_000;

await using home = await createHome();
const timeLimit = setTimeout(() => fail(`not finished within ${TIME_LIMIT_MS / 1000} s`), TIME_LIMIT_MS);
const scratch = await mkdtemp(join(tmpdir(), 'parley-demo-'));
try {
  await runDemo();
} finally {
  await rm(scratch, { recursive: true, force: true });
  clearTimeout(timeLimit);
}

async function runDemo(): Promise<void> {
  const authority = createAuthority();
  const caFile = join(scratch, 'ca.pem');
  await writeFile(caFile, authority.pem);
  await using bot = await startBot(authority.issue({ hosts: ['localhost'] }));
  await using server = await startParley({
    ...home.environment,
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_TRUSTED_HOSTS: `localhost:${bot.port}`,
  });
  say('server', `ready at ${server.url}`);

  const person = new Browser(server.url);
  await person.post('/api/auth/sign-up', {
    email: 'ada@example.com',
    password: 'correct horse',
    name: 'Ada',
  });
  say('Ada', 'signs up');
  const application = await person.post('/api/console/applications', { name: 'Echo' });
  const { userId } = await person.post(`/api/console/applications/${application['appId']}/bot`, {
    username: 'echo_bot',
  });
  const webhookUrl = `https://localhost:${bot.port}/hook`;
  await person.put(`/api/console/applications/${application['appId']}/webhook-url`, { webhookUrl });
  say('Ada', `creates the application ${application['appId']} with @echo_bot and the webhook ${webhookUrl}`);
  bot.child.send({
    credentials: {
      apiKey: application['apiKey'],
      webhookSecret: application['webhookSecret'],
      apiUrl: server.url,
    },
  });

  for (const message of MESSAGES) await exchange(person, bot.child, String(userId), message);
  await expectHistory(person);
  console.log(`\nAll ${MESSAGES.length} types were written, delivered with a valid signature, and answered.`);
}

/** The person writes; the bot receives, verifies and answers it; the transcript shows the real headers and bodies. */
async function exchange(person: Browser, bot: ChildProcess, to: string, message: object): Promise<void> {
  const reported = once(bot, 'message') as Promise<[BotReport]>;
  const written = await person.post('/api/chat/messages', { to, ...message });
  say('Ada → bot', JSON.stringify(message));
  const [report] = await reported;
  if (report.kind !== 'exchange') return fail('the bot reported something else');
  for (const name of ['content-type', 'x-service-event', 'x-service-signature', 'webhook-id']) {
    say('webhook', `${name}: ${report.headers[name]}`);
  }
  say('webhook', report.rawBody);
  say('bot', report.isVerified ? 'signature verified over the raw bytes' : 'SIGNATURE REFUSED');
  say('bot → Ada', report.answer.request);
  say('answer', `${report.answer.status} ${report.answer.body}\n`);
  const { type, data } = JSON.parse(report.rawBody);
  if (!report.isVerified || report.answer.status !== 201) fail('the exchange did not succeed');
  if (type !== 'message.received' || data.msgId !== written['msgId'])
    fail('the webhook tells of another message');
}

async function expectHistory(person: Browser): Promise<void> {
  const { conversations } = await person.get<{ conversations: { conversationId: string }[] }>(
    '/api/chat/conversations',
  );
  const path = `/api/chat/conversations/${conversations[0]?.conversationId}/messages`;
  const { messages } = await person.get<{ messages: unknown[] }>(path);
  if (messages.length !== 2 * MESSAGES.length) fail(`the conversation holds ${messages.length} messages`);
}

async function startBot(settings: { cert: string; key: string }) {
  const child = fork(new URL('./bot.ts', import.meta.url), { stdio: 'inherit' });
  child.send({ settings });
  const [report] = (await once(child, 'message')) as [BotReport];
  if (report.kind !== 'listening') return fail('the bot did not start');
  say('bot', `a process of its own, listening on https://localhost:${report.port}`);
  return {
    child,
    port: report.port,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function say(who: string, what: string): void {
  console.log(`${who.padEnd(10)} ${what}`);
}

function fail(why: string): never {
  console.error(`demo failed: ${why}`);
  process.exit(1);
}
