/** Every call of the contract, and every error, through the built package; runs on any Node that the package supports. */
import assert from 'node:assert/strict';
import { once } from 'node:events';

const [settings] = await once(process, 'message');
const { sdk, baseUrl, bots, people, oauth: client } = settings;
const { Bot, OAuthClient, ParleyError, MemoryTokenStore } = await import(sdk);

/** The parent process changes the server's state; its clock is the server's. */
const ask = async (question) => {
  process.send(question);
  const [answer] = await once(process, 'message');
  return answer;
};
const waits = [];
const service = { baseUrl, now: () => settings.now, sleep: async (ms) => void waits.push(ms), retries: 0 };

const bot = new Bot({ ...service, apiKey: bots.helper.key });
const { ada, ben, stranger } = people;

const me = await bot.getMe();
assert.deepEqual([me.userId, me.isBot], [bots.helper.accountId, true]);

const fileUrl = 'https://cdn.example.com/file';
const contents = [
  { type: 'text', content: 'Hello' },
  { type: 'image', fileUrl, caption: 'a cat' },
  { type: 'video', fileUrl, thumbnailUrl: fileUrl },
  { type: 'audio', fileUrl },
  { type: 'doc', fileUrl },
  { type: 'gif', fileUrl },
  { type: 'sticker', fileUrl },
  { type: 'location', location: { latitude: 46.9, longitude: 7.4, name: 'Bern' } },
];
for (const content of contents) assert.match((await bot.sendMessage({ to: ada, ...content })).msgId, /^msg_/);

await bot.sendTyping({ conversationId: ada });
await bot.showDraft({ conversationId: ada, content: 'Hel' });
const draft = await bot.sendMessage({ to: ada, ...contents[0] });
const edited = await bot.editMessage({ ...draft, conversationId: ada, content: 'Hello, Ada' });
assert.deepEqual([edited.textMsg, edited.chatId, edited.from], ['Hello, Ada', ada, me.userId]);
const stored = await bot.getMessage({ ...draft, conversationId: ada });
assert.deepEqual([stored.textMsg, stored.editedAt], ['Hello, Ada', edited.editedAt]);
const reactions = [{ emoji: '👍', userIds: [me.userId] }];
const reacted = await bot.reactToMessage({ ...draft, conversationId: ada, emoji: ['👍'] });
assert.deepEqual(reacted, { reactions });
assert.deepEqual((await bot.getMessage({ ...draft, conversationId: ada })).reactions, reactions);
await bot.deleteMessage({ ...draft, conversationId: ada });
const history = [];
for await (const { from, type } of bot.history(ada)) history.push([from === ada, type]);
assert.deepEqual(history.slice(0, 2), [
  [false, 'location'],
  [false, 'sticker'],
]);
assert.deepEqual(history.at(-1), [true, 'text']);
assert.equal((await bot.listMessages({ conversationId: ada })).messages.length, history.length);

const { groupId } = await bot.createGroup({ name: 'Hikers', members: [ada] });
await bot.addGroupMembers({ groupId, memberIds: [ben] });
await bot.changeGroupRole({ groupId, memberId: ben, isAdmin: true });
await bot.changeGroupDetails({ groupId, name: 'Hikers of Bern' });
const { members } = await bot.listGroupMembers({ groupId });
assert.deepEqual(
  members.map(({ userId, isAdmin }) => [userId, isAdmin]).sort(),
  [
    [ada, false],
    [ben, true],
    [me.userId, true],
  ].sort(),
);
assert.equal((await bot.getProfile(ada)).name, 'Ada');
assert.equal(members.find(({ userId }) => userId === ada).name, 'Ada');
const groups = [];
for await (const { name, isAdmin } of bot.groups()) groups.push([name, isAdmin]);
assert.deepEqual(groups, [['Hikers of Bern', true]]);
const found = [];
for await (const { userId } of bot.groupMembers(groupId)) found.push(userId);
assert.equal(found.length, 3);
const sent = await bot.sendGroupMessage({ groupId, mentionedUserIds: [ada], ...contents[0] });
await bot.broadcast({ groupId, replyToMsgId: sent.msgId, ...contents[7] });
await bot.removeGroupMember({ groupId, memberId: ben });

const { msgId, poll } = await bot.createPoll({ groupId, question: 'Go?', options: ['Yes', 'No'] });
const place = { messageId: msgId, groupId };
assert.equal((await bot.votePoll({ ...place, optionId: poll.options[0].id })).totalVotes, 1);
assert.equal((await bot.getPoll(msgId)).totalVotes, 1);
assert.equal((await bot.closePoll(place)).closed, true);

const { events, nextAfter } = await bot.listEvents({ limit: 500 });
assert.deepEqual([events[0].event.type, events[0].event.data.textMsg], ['message.received', 'Hello']);
assert.deepEqual((await bot.listEvents({ after: nextAfter })).events, []);
await bot.acknowledgeEvents({ upTo: nextAfter, failed: [{ cursor: events[0].cursor, attempts: 8 }] });
assert.deepEqual((await bot.listEvents({ after: 'acknowledged' })).events, []);
const letters = [];
for await (const letter of bot.deadLetters()) letters.push(letter);
assert.deepEqual(
  letters.map(({ event }) => event.data.textMsg),
  ['Hello'],
);
assert.equal((await bot.listDeadLetters({ limit: 1 })).nextAfter, letters[0].eventId);
// Reading the log writes it: of what succeeds between two writes, it keeps the first 40.
await bot.listRequests();
assert.deepEqual(await bot.replayEvents([letters[0].eventId]), { replayed: 1 });
const { requests } = await bot.listRequests();
assert.equal(requests[0].route, '/v1/events/replay');
assert.equal(
  (await bot.listRequests({ before: requests[0].requestId })).requests[0].route,
  requests[1].route,
);
await bot.deleteGroup(groupId);
const { description } = await bot.changeMe({ description: 'Helps' });
assert.equal(description, 'Helps');
const webhook = { webhookUrl: 'https://hooks.example.com/bot', events: ['bot.blocked'] };
assert.deepEqual(await bot.setWebhook(webhook), webhook);
assert.deepEqual(await bot.setWebhook({ webhookUrl: null, events: [] }), { events: [] });
assert.deepEqual(await bot.getWebhook(), { events: [] });

const packing = { data: 'Warm tea', name: 'list.txt' };
const uploaded = await bot.upload(packing);
assert.deepEqual([uploaded.type, uploaded.fileName, uploaded.size], ['doc', 'list.txt', 8]);
await bot.sendMessage({ to: ada, type: 'doc', fileUrl: uploaded.fileUrl });
assert.equal((await bot.upload(new Blob(['x']))).fileName, 'file');
await assert.rejects(bot.upload({ ...packing, type: 'image' }), { status: 400, code: 'invalid-argument' });

const tokens = new MemoryTokenStore();
const oauth = new OAuthClient({ ...service, ...client, tokens });
const scopes = ['profile', 'stories:read', 'stories:write', 'polls:write', 'groups:manage'];
const { url, ...pending } = await oauth.authorize({ scopes });
const person = await oauth.exchange(await ask({ consentAt: url }), pending, 'ada');
const info = await person.getUserInfo();
assert.deepEqual([info.sub, info.name], [ada, 'Ada']);
const { storyId } = await person.addToStory({ type: 'text', text: 'On the summit!' });
await person.addToStory({ type: 'video', videoUrl: fileUrl, thumbnailUrl: fileUrl });
assert.deepEqual(
  (await person.listOwnStories()).map((story) => [story.storyId, story.texts[0].text]),
  [[storyId, 'On the summit!']],
);
await person.deleteStory(storyId);
assert.equal((await person.getMe()).isBot, false);
const list = await person.createGroup({ name: 'News', isBroadcast: true, members: [ben] });
await person.broadcast({ groupId: list.groupId, ...contents[0] });
const own = await person.createPoll({ receiverId: ben, question: 'Tea?', options: ['Yes', 'No'] });
await person.votePoll({ messageId: own.msgId, optionId: own.poll.options[1].id });
await person.closePoll({ messageId: own.msgId });

/** The complete error without its message. Those from the service have a request id; some are detected by the package. */
async function refused(call, isLocal = false) {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (reason) => reason,
  );
  assert.ok(error instanceof ParleyError && error instanceof Error, String(error));
  assert.equal(error.name, 'ParleyError');
  assert.ok(error.message.length > 0);
  if (isLocal) assert.equal(error.requestId, undefined);
  else assert.match(error.requestId, /^req_/);
  return [error.status, error.code, ...(error.oauthError ? [error.oauthError] : [])];
}

const text = { type: 'text', content: 'Hello' };
assert.deepEqual(await refused(bot.sendMessage({ to: ada, type: 'text', content: '' })), [
  400,
  'invalid-argument',
]);
assert.deepEqual(await refused(bot.sendMessage({ to: stranger, ...text })), [400, 'failed-precondition']);
assert.deepEqual(await refused(new Bot({ ...service, apiKey: 'xk_live_none' }).getMe()), [
  401,
  'unauthenticated',
]);
assert.deepEqual(await refused(bot.sendMessage({ to: bots.spare.accountId, ...text })), [
  403,
  'permission-denied',
]);
assert.deepEqual(await refused(bot.sendMessage({ to: 'usr_nobody', ...text })), [404, 'not-found']);
await bot.sendMessage({ to: ada, ...text }, { idempotencyKey: 'key-1' });
assert.deepEqual(await refused(bot.sendMessage({ to: ada, ...contents[1] }, { idempotencyKey: 'key-1' })), [
  409,
  'already-exists',
]);
const botless = new Bot({ ...service, apiKey: bots.botless.key });
assert.deepEqual(await refused(botless.getMe()), [422, 'failed-precondition']);
const crowd = bot.createGroup({ name: 'Crowd', members: [ada, ben, ...people.crowd] });
assert.deepEqual(await refused(crowd), [429, 'resource-exhausted']);

const slow = new Bot({ ...service, retries: 2, apiKey: bots.slow.key });
await slow.getMe();
assert.deepEqual(await refused(slow.getMe()), [429, 'RATE_LIMIT_EXCEEDED']);
// Before the call for the quota, and before each repetition: always as long as the server says.
assert.deepEqual([...new Set(waits)], [60_000]);
await slow.getMe().catch((error) => assert.equal(error.retryAfterSeconds, 60));

assert.deepEqual(await refused(oauth.exchange(`?state=${pending.state}&code=none`, pending, 'eve')), [
  400,
  'invalid-argument',
  'invalid_grant',
]);
assert.deepEqual(await refused(oauth.exchange('?state=another&code=none', pending, 'eve'), true), [
  400,
  'invalid-argument',
]);
const denied = await oauth.authorize({ scopes: ['profile'] });
const denial = await ask({ consentAt: denied.url, isApproved: false });
assert.deepEqual(await refused(oauth.exchange(denial, denied, 'eve'), true), [
  403,
  'permission-denied',
  'access_denied',
]);
const wrongClient = new OAuthClient({ ...service, ...client, clientSecret: 'wrong', tokens });
assert.deepEqual(await refused(wrongClient.revoke('ada')), [401, 'unauthenticated', 'invalid_client']);
const narrow = await oauth.authorize({ scopes: ['profile'] });
const reader = await oauth.exchange(await ask({ consentAt: narrow.url }), narrow, 'reader');
assert.deepEqual(await refused(reader.listOwnStories()), [403, 'permission-denied']);

await ask({ breaks: 'stories' });
assert.deepEqual(await refused(person.listOwnStories()), [500, 'INTERNAL_ERROR']);
await ask({ mends: 'stories' });
await oauth.revoke('ada');
assert.deepEqual(await refused(person.getUserInfo(), true), [401, 'unauthenticated']);
const nowhere = new Bot({ ...service, baseUrl: 'http://127.0.0.1:1', apiKey: 'key' });
assert.deepEqual(await refused(nowhere.getMe(), true), [0, 'unreachable']);

process.send({ finished: process.version });
process.disconnect();
