import { type SampleRequest, urlOf } from '../request.ts';

/** SDK calls for operations that the general form of a call does not fit. */
const CALLS: Readonly<Record<string, string>> = {
  deleteGroup: 'await bot.deleteGroup(GROUP_ID);',
  deleteStory: 'await person.deleteStory(STORY_ID);',
  uploadFile:
    'const data = await readFile(FILE);\nconst { type, fileUrl } = await bot.upload({ data, name: FILE });\nconsole.log(type, fileUrl);',
  getMe: 'console.log(await bot.getMe());',
  getProfile: 'const { name, username } = await bot.getProfile(USER_ID);\nconsole.log(name, username);',
  getWebhook: 'console.log(await bot.getWebhook());',
  getPoll: 'console.log(await bot.getPoll(MSG_ID));',
  listGroups: 'const { groups, nextCursor } = await bot.listGroups();\nconsole.log(groups, nextCursor);',
  getUserInfo: 'console.log(await person.getUserInfo());',
  listOwnStories: 'console.log(await person.listOwnStories());',
  replayEvents: 'const { replayed } = await bot.replayEvents([EVENT_ID]);\nconsole.log(replayed);',
  listDeadLetters:
    'const { deadLetters, nextAfter } = await bot.listDeadLetters();\nconsole.log(deadLetters, nextAfter);',
  listRequests: 'const { requests } = await bot.listRequests();\nconsole.log(requests);',
  listEvents: 'const { events, nextAfter } = await bot.listEvents();\nconsole.log(events, nextAfter);',
};

/** Variable names for the SDK's results. */
const RESULTS: Readonly<Record<string, string>> = {
  sendMessage: '{ msgId }',
  sendGroupMessage: '{ msgId }',
  broadcast: '{ msgId }',
  createGroup: '{ groupId }',
  createPoll: '{ msgId, poll }',
  votePoll: 'poll',
  closePoll: 'poll',
  addToStory: '{ storyId }',
  listGroupMembers: '{ members, nextCursor }',
  changeMe: '{ description, commands }',
  setWebhook: '{ webhookUrl, events }',
  getMessage: '{ type, textMsg, from }',
  reactToMessage: '{ reactions }',
  listMessages: '{ messages, nextBefore }',
};

const BOT = (baseUrl: string) => `import { Bot } from 'parley-sdk';

const bot = new Bot({ baseUrl: '${baseUrl}', apiKey: process.env.PARLEY_API_KEY });
`;

const OAUTH = (baseUrl: string) => `import { OAuthClient } from 'parley-sdk';
import { FileTokenStore } from 'parley-sdk/node';

const oauth = new OAuthClient({
  baseUrl: '${baseUrl}',
  clientId: process.env.PARLEY_CLIENT_ID,
  clientSecret: process.env.PARLEY_CLIENT_SECRET,
  redirectUri: 'https://app.example.com/callback',
  tokens: new FileTokenStore({ directory: 'tokens' }),
});
`;

const AUTHORIZE = `const { url, ...pending } = await oauth.authorize({ scopes: ['profile', 'stories:read'] });
`;

/** Uses the SDK, or fetch for operations that the SDK does not cover. */
export function toJavaScript(request: SampleRequest): string {
  const { operationId, baseUrl, credential, path } = request;
  switch (operationId) {
    case 'authorize':
      return `${OAUTH(baseUrl)}
${AUTHORIZE}// Keep pending in the person's session, and send their browser to url.
console.log(url);
`;
    case 'issueToken':
      return `import { createInterface } from 'node:readline/promises';
${OAUTH(baseUrl)}
${AUTHORIZE}const terminal = createInterface({ input: process.stdin, output: process.stdout });
const callback = await terminal.question(\`Open \${url}\\nWhich address did you come back to? \`);
terminal.close();
// Exchanges the code; later calls refresh the tokens in time.
const person = await oauth.exchange(callback, pending, 'ada');
console.log(await person.getMe());
`;
    case 'revokeToken':
      return `${OAUTH(baseUrl)}
// The tokens of the person whom oauth.exchange() was told to call 'ada'.
await oauth.revoke('ada');
`;
    case 'getAuthorizationServerMetadata':
      return `const response = await fetch('${urlOf(request)}');
console.log(await response.json());
`;
    case 'simulateEvent':
      return `const response = await fetch('${baseUrl}${path}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.PARLEY_API_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${literal(request.body)}),
});
console.log(await response.json());
`;
  }
  const files = request.file ? "import { readFile } from 'node:fs/promises';\n" : '';
  if (credential === 'PARLEY_API_KEY') return `${files}${BOT(baseUrl)}\n${call('bot', request)}`;
  return `${OAUTH(baseUrl)}
// The person whom oauth.exchange() was told to call 'ada'.
const person = oauth.person('ada');
${call('person', request)}`;
}

function call(actor: string, { operationId, params, body, query, file }: SampleRequest): string {
  const given = { ...params, ...(body ?? query) };
  const special = CALLS[operationId];
  if (special) {
    const idOf = (noun: string) => [given[`${noun}Id`] ?? given[`${noun}Ids`]].flat()[0];
    return `${special.replace(/(GROUP|STORY|EVENT|USER|MSG)_ID/, (_, noun) => `'${idOf(noun.toLowerCase())}'`).replaceAll('FILE', `'${file}'`)}\n`;
  }
  const result = RESULTS[operationId];
  const called = `await ${actor}.${operationId}(${literal(given)});\n`;
  if (!result) return called;
  return `const ${result} = ${called}console.log(${result.replace(/^\{ | \}$/g, '')});\n`;
}

function literal(value: object | undefined): string {
  return JSON.stringify(value, undefined, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/\[[^[\]]*\]/g, (list) => list.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (edge) => edge.trim()))
    .replace(/([^,{[\n])\n(\s*[}\]])/g, '$1,\n$2')
    .replaceAll('"', "'");
}
