import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ConversationPage, MessagePage } from '#contract/chat.ts';
import type { Browser } from '../browser.ts';
import { type Chance, createChance } from '../chance.ts';
import { createScratch } from '../scratch.ts';
import { allSent, introduce, openChat, say, shownTexts, write } from '../web/chat-scene.ts';
import { startWebScene } from '../web/web-scene.ts';
import { seed } from './options.ts';
import { nth, type Plan, planOf } from './plans.ts';

const MOST_OFFLINE_MS = 300;
const MOST_REST_MS = 1_500;
const AGREES_WITHIN_MS = 20_000;
/** How many of the newest messages of each thread are compared: no more than the page shows at its end. */
const COMPARED = 10;

interface Peer {
  name: string;
  calls: Browser;
  conversationId: string;
  said: number;
}

await using scratch = await createScratch();
await using scene = await startWebScene(scratch.environment);
await using ada = await scene.enter('/', { name: 'Ada' });
const { page } = ada;
const peers: Peer[] = [];
for (const name of ['Bob', 'Carol', 'Dave']) {
  const { calls } = await scene.person(name);
  const { conversationId } = await introduce(ada.calls, calls, `${name} 0`);
  peers.push({ name, calls, conversationId, said: 0 });
}
const list = page.getByRole('navigation', { name: 'Conversations' }).locator('a[href^="/c/"]');
let written = 0;
/** The steps taken, to find the cause of a difference. */
const done: string[] = [];

const { rounds } = planOf('cut-off-page', seed);
const STEPS: Record<
  Plan<'cut-off-page'>['rounds'][number][number]['name'],
  (peer: Peer, chance: Chance) => Promise<unknown>
> = { hear, open, writeText, cut, restart, rest };

await openChat(page, peers[0]?.conversationId ?? '');
for (const [round, steps] of rounds.entries()) {
  for (const { name, peer: number, seed: ofStep } of steps) {
    const peer = nth(peers, number);
    done.push(`${name} ${peer.name}`);
    await STEPS[name](peer, createChance(ofStep));
  }
  await allSent(page);
  await agrees(`round ${round}: the list`, shownList, storedList);
  for (const peer of peers) {
    await open(peer);
    const shown = async () => (await shownTexts(page)).slice(-COMPARED);
    await agrees(`round ${round}: the thread with ${peer.name}`, shown, () => storedTexts(peer));
  }
}
const said = peers.reduce((sum, peer) => sum + peer.said, written);
console.log(
  `${done.length} steps, ${said} messages: after each of ${rounds.length} rounds, the page showed what the server had stored`,
);

function hear(peer: Peer): Promise<unknown> {
  return say(peer.calls, ada.accountId, `${peer.name} ${++peer.said}`);
}

async function open({ name, conversationId }: Peer): Promise<void> {
  await list.filter({ hasText: name }).click();
  await page.waitForURL(`**/c/${conversationId}`);
  await page.getByRole('main').getByRole('heading', { name }).waitFor();
}

async function writeText(): Promise<void> {
  await write(page, `Ada ${++written}`);
}

async function cut(peer: Peer, { isHeads, between }: Chance): Promise<void> {
  await page.context().setOffline(true);
  if (isHeads()) await writeText();
  await hear(peer);
  await pause(between(0, MOST_OFFLINE_MS));
  await page.context().setOffline(false);
}

async function restart(peer: Peer, { isHeads }: Chance): Promise<void> {
  await scene.kill();
  if (isHeads()) await writeText();
  await scene.restart();
  await hear(peer);
}

function rest(_peer: Peer, { between }: Chance): Promise<unknown> {
  return pause(between(0, MOST_REST_MS));
}

/** The entries of the list: the peer, the last message, the unread count. */
async function shownList(): Promise<string[]> {
  const texts = await list.evaluateAll((entries) =>
    entries.map((entry) =>
      [...entry.querySelectorAll('[class*=name], [class*=excerpt], [class*=Badge] [aria-hidden]')].map(
        ({ textContent }) => textContent,
      ),
    ),
  );
  return texts.map((parts) => parts.join(' | '));
}

async function storedList(): Promise<string[]> {
  const { conversations } = await ada.calls.get<ConversationPage>('/api/chat/conversations');
  return conversations.map(({ peer, lastMessage, unreadCount }) => {
    const words = `${lastMessage?.from === ada.accountId ? 'You: ' : ''}${lastMessage?.content}`;
    return [peer?.name, words, ...(unreadCount > 0 ? [unreadCount] : [])].join(' | ');
  });
}

async function storedTexts({ conversationId }: Peer): Promise<string[]> {
  const path = `/api/chat/conversations/${conversationId}/messages`;
  const { messages } = await ada.calls.get<MessagePage>(path);
  return messages
    .slice(0, COMPARED)
    .map(({ content }) => String(content))
    .reverse();
}

/** The page receives events a little later, but must reach the same state. */
async function agrees(
  what: string,
  show: () => Promise<string[]>,
  store: () => Promise<string[]>,
): Promise<void> {
  const until = Date.now() + AGREES_WITHIN_MS;
  for (;;) {
    const [shown, stored] = [await show(), await store()];
    if (isDeepStrictEqual(shown, stored)) return;
    if (Date.now() > until) {
      throw new Error(
        `${what} shows\n${shown.join('\n')}\ninstead of\n${stored.join('\n')}\nafter ${done.slice(-60).join(', ')}`,
      );
    }
    await pause(100);
  }
}
