import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { MessagePage, Profile } from '#contract/chat.ts';
import type { CreatedPoll } from '#contract/polls.ts';
import type { Story } from '#contract/stories.ts';
import type { Browser } from '../browser.ts';
import { type Chance, createChance } from '../chance.ts';
import { createScratch } from '../scratch.ts';
import { introduce, say } from '../web/chat-scene.ts';
import { follow, type Person, settled, startWebScene } from '../web/web-scene.ts';
import { rounds, seed } from './options.ts';
import { type Plan, planOf } from './plans.ts';

/** So tall that a whole thread is in view: otherwise, only the open page would keep the first unread message at the top. */
const TALL = { width: 1280, height: 6_000 };
const MOST_GROUPS = 5;
const MOST_ENDED = 5;
const AGREES_WITHIN_MS = 20_000;
/** A page that was open on a group says that the person left it; a fresh page does not find the group. */
const ONCE_THERE = /^You are no longer in |^You were removed|^Page not found$|^This page does not exist/;

await using scratch = await createScratch();
await using scene = await startWebScene(scratch.environment);
// Installed, so that the page can open a part of it for the first time while offline.
await using ada = await scene.enter('/', { name: 'Ada', isInstalled: true });
const { page } = ada;
await settled(page);
await page.reload();
const fresh = await page.context().newPage();
for (const window of [page, fresh]) await window.setViewportSize(TALL);
const others = [await scene.person('Bob'), await scene.person('Carol'), await scene.person('Dave')];
const people = [ada, ...others];
const privateIds: string[] = [];
for (const { calls } of others) privateIds.push((await introduce(ada.calls, calls)).conversationId);
const [bob, ...rest] = others as [Person, ...Person[]];
for (const { calls } of rest) await introduce(bob.calls, calls);
const groupIds: string[] = [];
for (const isBroadcast of [false, true]) await makeGroup(ada, isBroadcast);
await makeGroup(bob, false);
const polls: CreatedPoll[] = [];
let written = 0;
let ended = 0;
const stranger = await meetStranger();

type PageEvent = Plan<'open-page'>['rounds'][number]['events'][number];

/** The possible steps, taken by any of the people; the server refuses those that the rules forbid. */
const EVENTS: Record<PageEvent['name'], (chance: Chance) => Promise<unknown>> = {
  hear: ({ oneOf }) => say(oneOf(others).calls, ada.accountId, words()),
  sayElsewhere: ({ oneOf }) => say(ada.calls, oneOf(others).accountId, words()),
  sayInGroup: ({ oneOf }) =>
    oneOf(people).calls.post('/api/chat/groups/messages', {
      groupId: oneOf(groupIds),
      type: 'text',
      content: words(),
    }),
  edit: (chance) => withMessage(chance, (path, calls) => calls.patch(path, { text: words() })),
  erase: (chance) => withMessage(chance, (path, calls) => calls.delete(path)),
  eraseForOneself: (chance) => withMessage(chance, (path) => ada.calls.post(`${path}/hide`, {})),
  react: (chance) =>
    withMessage(chance, (path, calls) =>
      calls.put(`${path}/reactions`, { emoji: ['👍', '🎉', '❤️'].filter(() => chance.isHeads()) }),
    ),
  mention: ({ oneOf }) =>
    oneOf(people).calls.post('/api/chat/groups/messages', {
      groupId: oneOf(groupIds),
      type: 'text',
      content: `@Ada ${words()}`,
      mentionedUserIds: [ada.accountId],
    }),
  forward: (chance) =>
    withMessage(chance, (path, calls) => {
      const [, , , , conversationId, , msgId] = path.split('/');
      return calls.post('/api/chat/messages/forward', {
        conversationId,
        msgId,
        groupId: chance.oneOf(groupIds),
      });
    }),
  pinMessage: (chance) => withMessage(chance, (path, calls) => calls.put(`${path}/pin`, {})),
  unpinMessage: (chance) => withMessage(chance, (path, calls) => calls.delete(`${path}/pin`)),
  async poll({ oneOf }) {
    const asked = { groupId: oneOf(groupIds), question: words(), options: ['Tea', 'Coffee', 'Water'] };
    polls.push(await oneOf(people).calls.post<CreatedPoll>('/api/chat/polls', asked));
  },
  vote({ oneOf }) {
    const { msgId, poll } = oneOf(polls);
    const vote = { messageId: msgId, optionId: oneOf(poll.options).id };
    return oneOf(people).calls.post('/api/chat/polls/vote', vote);
  },
  closePoll: ({ oneOf }) =>
    oneOf(people).calls.post('/api/chat/polls/close', { messageId: oneOf(polls).msgId }),
  addMember: ({ oneOf }) =>
    oneOf(people).calls.post('/api/chat/groups/members', {
      groupId: oneOf(groupIds),
      memberIds: [oneOf(people).accountId],
    }),
  removeMember: ({ oneOf }) =>
    oneOf(people).calls.post('/api/chat/groups/members/remove', {
      groupId: oneOf(groupIds),
      memberId: oneOf(people).accountId,
    }),
  changeRole: ({ oneOf, isHeads }) =>
    oneOf(people).calls.patch('/api/chat/groups/members/role', {
      groupId: oneOf(groupIds),
      memberId: oneOf(people).accountId,
      isAdmin: isHeads(),
    }),
  changeGroup: ({ oneOf, isHeads }) =>
    oneOf(people).calls.patch('/api/chat/groups/details', {
      groupId: oneOf(groupIds),
      ...(isHeads() ? { name: words() } : { description: words() }),
    }),
  async replaceGroup({ oneOf, isHeads }) {
    const groupId = oneOf(groupIds);
    await oneOf(people).calls.delete('/api/chat/groups/delete', { groupId });
    groupIds.splice(groupIds.indexOf(groupId), 1);
    await makeGroup(oneOf([ada, bob]), isHeads());
  },
  makeGroup: async ({ oneOf, isHeads }) =>
    groupIds.length < MOST_GROUPS && makeGroup(oneOf([ada, bob]), isHeads()),
  tellStory: ({ oneOf }) => oneOf(people).calls.post('/api/chat/stories', { type: 'text', text: words() }),
  async deleteStory({ oneOf }) {
    const { calls } = oneOf(people);
    for (const { storyId } of await calls.get<Story[]>('/api/chat/stories/mine'))
      await calls.delete('/api/chat/stories', { storyId });
  },
  block: ({ oneOf }) => ada.calls.post('/api/chat/blocks', { userId: oneOf(others).accountId }),
  unblock: ({ oneOf }) => ada.calls.delete('/api/chat/blocks', { userId: oneOf(others).accountId }),
  async readElsewhere({ oneOf }) {
    const path = `/api/chat/conversations/${oneOf(privateIds)}`;
    const { messages } = await ada.calls.get<MessagePage>(`${path}/messages`);
    const msgId = messages.length > 0 ? oneOf(messages).msgId : 'none';
    await ada.calls.post(`${path}/read`, { msgId });
  },
  readByOthers: (chance) =>
    withNewest(chance, (path, msgId) => chance.oneOf(others).calls.post(`${path}/read`, { msgId })),
  deliverToOthers: (chance) =>
    withNewest(chance, (path, msgId) =>
      chance.oneOf(others).calls.post('/api/chat/delivered', {
        upTo: [{ conversationId: path.slice(path.lastIndexOf('/') + 1), msgId }],
      }),
    ),
  type: (chance) =>
    chance.oneOf(others).calls.post(`/api/chat/conversations/${anyConversation(chance)}/typing`, {}),
  hideReceipts: ({ oneOf, isHeads }) =>
    oneOf(others).calls.patch('/api/auth/profile', { readReceipts: isHeads() }),
  hideOwnReceipts: ({ isHeads }) => ada.calls.patch('/api/auth/profile', { readReceipts: isHeads() }),
  // The draft of the open conversation is not shown in the list.
  draft: (chance) =>
    ada.calls.put(`/api/chat/conversations/${anyConversation(chance)}/draft`, {
      text: chance.isHeads() ? words() : '',
    }),
  draftToStranger: ({ isHeads }) =>
    ada.calls.put(`/api/chat/conversations/${stranger.conversationId}/draft`, {
      text: isHeads() ? words() : '',
      finding: { inviteToken: stranger.token },
    }),
  async endAccount() {
    if (++ended > MOST_ENDED) return;
    const { calls, email } = await scene.person('Eve');
    const { conversationId } = await introduce(ada.calls, calls, words());
    privateIds.push(conversationId);
    await calls.post('/api/auth/account/delete', { email });
  },
  rename: ({ oneOf }) => oneOf(others).calls.patch('/api/auth/profile', { name: words() }),
  pin: (chance) =>
    ada.calls.patch(`/api/chat/conversations/${anyConversation(chance)}`, { isPinned: chance.isHeads() }),
  archive: (chance) =>
    ada.calls.patch(`/api/chat/conversations/${anyConversation(chance)}`, { isArchived: chance.isHeads() }),
  mute: (chance) =>
    ada.calls.patch(`/api/chat/conversations/${anyConversation(chance)}`, { isMuted: chance.isHeads() }),
  hide: (chance) => ada.calls.delete(`/api/chat/conversations/${anyConversation(chance)}`),
};

const plan = planOf('open-page', seed).rounds.slice(0, rounds);
let refused = 0;
let happened = 0;
for (const [round, { place, isCut, offlineMs, areAtOnce, events }] of plan.entries()) {
  // The page never reloads, so any error stays visible.
  await follow(page, createChance(place).oneOf(placesToBe()));
  if (isCut) await page.context().setOffline(true);
  if (areAtOnce) await Promise.all(events.map(happen));
  else for (const event of events) await happen(event);
  if (isCut) {
    await pause(offlineMs);
    await page.context().setOffline(false);
  }
  await agrees(
    `round ${round}, after ${events.map(({ name }) => name).join(', ')}${isCut ? ' while it was cut off' : ''}${areAtOnce ? ', all at once' : ''}`,
  );
}
console.log(
  `${happened} events, ${refused} refused: after each of ${plan.length} rounds, the open page showed the same as a fresh one`,
);

/** Somebody to whom Ada could write, but has not written. */
async function meetStranger() {
  const { calls } = await scene.person('Frank');
  const { token } = await calls.post('/api/auth/invite-link', {});
  const { conversationId } = await ada.calls.get<Profile>(`/api/chat/invites/${token}`);
  return { conversationId, token: String(token) };
}

function words(): string {
  return `word ${++written}`;
}

async function makeGroup(creator: Person, isBroadcast: boolean): Promise<void> {
  const members = people.filter((person) => person !== creator).map(({ accountId }) => accountId);
  const asked = { name: `Group ${groupIds.length}`, members, isBroadcast };
  const { groupId } = await creator.calls.post('/api/chat/groups', asked);
  groupIds.push(String(groupId));
}

/** Acts on one of the newest messages of a conversation, as any of the people. */
async function withMessage(
  chance: Chance,
  act: (path: string, calls: Browser) => Promise<unknown>,
): Promise<void> {
  const path = `/api/chat/conversations/${anyConversation(chance)}/messages`;
  const { messages } = await ada.calls.get<MessagePage>(path);
  if (messages.length === 0) return;
  await act(`${path}/${chance.oneOf(messages.slice(0, 5)).msgId}`, chance.oneOf(people).calls);
}

/** Acts on the newest message of a conversation. */
async function withNewest(
  chance: Chance,
  act: (path: string, msgId: string) => Promise<unknown>,
): Promise<void> {
  const path = `/api/chat/conversations/${anyConversation(chance)}`;
  const { messages } = await ada.calls.get<MessagePage>(`${path}/messages`);
  const [newest] = messages;
  if (newest) await act(path, newest.msgId);
}

function anyConversation({ oneOf }: Chance): string {
  return oneOf([...privateIds, ...groupIds]);
}

/** Refusals are expected; any other error fails the scenario. */
async function happen({ name, seed: ofEvent }: PageEvent): Promise<void> {
  if (polls.length === 0 && /vote|closePoll/.test(name)) return;
  try {
    await EVENTS[name](createChance(ofEvent));
    happened++;
  } catch (error) {
    if (!(error instanceof Error) || !/: 4\d\d /.test(error.message)) throw error;
    refused++;
  }
}

function placesToBe(): string[] {
  const conversations = [...privateIds, ...groupIds].flatMap((id) => [`/c/${id}`, `/c/${id}/info`]);
  return ['/', ...conversations, '/settings/blocked'];
}

/** The lines of the page, each once: only the open page has a divider above new messages. */
async function shown(window: Page): Promise<string> {
  const text = (await window.evaluate(
    `for (const spoken of document.querySelectorAll('.visually-hidden[role=status]')) spoken.hidden = true;
     const marks = [...document.querySelectorAll('article[data-msg-id] [role=img]')].map((mark) =>
       mark.closest('article').dataset.msgId + ' ' + mark.getAttribute('aria-label'));
     document.body.innerText + '\\n' + marks.join('\\n')`,
  )) as string;
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines)]
    .filter((line) => !/^$|^New message|^now$|\bago$/.test(line) && !ONCE_THERE.test(line))
    .sort()
    .join('\n');
}

async function agrees(when: string): Promise<void> {
  await fresh.goto(page.url());
  const until = Date.now() + AGREES_WITHIN_MS;
  for (;;) {
    await pause(250);
    const [inOpen, inFresh] = [await shown(page), await shown(fresh)];
    if (inOpen === inFresh && inOpen !== '') break;
    if (Date.now() > until) {
      throw new Error(`${page.url()} in ${when} shows\n${inOpen}\n\ninstead of\n\n${inFresh}`);
    }
  }
  // Left open, it would mark the next messages as read.
  await fresh.goto('about:blank');
}
