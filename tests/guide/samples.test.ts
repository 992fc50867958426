import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { OAUTH_SCOPES } from '#contract/scopes.ts';
import { fileOf } from '#testing/files.ts';
import type { Person } from '#testing/world.ts';
import { FileTokenStore } from '../../sdk/node/index.ts';
import { type ApiDocument, listEndpoints } from '../../server/surfaces/docs/reference/document.ts';
import { listSamples, type Sample } from '../../server/surfaces/docs/reference/endpoint.ts';
import { type BuiltSdk, buildSdk } from '../sdk/built-sdk.ts';
import { createSdkScene, type SdkScene } from '../sdk/sdk-scene.ts';
import { has } from './has.ts';

const run = promisify(execFile);

let scene: SdkScene;
let ben: Person;
let sdk: BuiltSdk;
let folder: string;
let quoted: string;
const samples: { operationId: string; summary: string; sample: Sample }[] = [];

before(async () => {
  scene = await createSdkScene();
  ben = await scene.world.person('Ben');
  await ben.writes(scene.bot, 'Hello');
  quoted = (await scene.ada.writes(scene.bot, 'How is the weather?')).msgId;
  sdk = buildSdk();
  folder = await mkdtemp(join(tmpdir(), 'parley-samples-'));
  await writeFile(join(folder, 'map.png'), fileOf('png'));
  await symlink(join(sdk.directory, 'node_modules'), join(folder, 'node_modules'));
  const api = scene.world.app.swagger() as object as ApiDocument;
  const here: ApiDocument = { ...api, servers: [{ url: scene.baseUrl }] };
  for (const endpoint of listEndpoints(here).filter(({ method }) => method !== 'webhook'))
    for (const sample of listSamples(here, endpoint)) samples.push({ ...endpoint.operation, sample });
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  sdk?.[Symbol.dispose]();
  await scene?.[Symbol.asyncDispose]();
});

/** One sample as copied, with the placeholders filled in. */
interface Trial {
  name: string;
  code: string;
  environment: Record<string, string>;
}

/** The samples of a language in document order, each of which needs the results of those before. */
async function trials(language: Sample['language']): Promise<Trial[]> {
  const { world, bot, ada, clientId, clientSecret } = scene;
  const client = await world.client();
  const { access, refresh } = await client.tokens({ person: ada, scopes: [...OAUTH_SCOPES] });
  const environment = {
    PARLEY_API_KEY: bot.key,
    PARLEY_ACCESS_TOKEN: access,
    PARLEY_REFRESH_TOKEN: refresh,
    PARLEY_CLIENT_ID: client.appId,
    PARLEY_CLIENT_SECRET: client.secret,
  };
  // Where samples with the SDK find the tokens of the person called `ada`.
  await new FileTokenStore({ directory: join(folder, 'tokens') }).update('ada', async () => ({
    accessToken: access,
    refreshToken: refresh,
    expiresAt: Date.now() + 3_600_000,
    scopes: [],
  }));
  // The person is redirected by a client that has the redirect URI registered.
  const login = { PARLEY_CLIENT_ID: clientId, PARLEY_CLIENT_SECRET: clientSecret };
  const prepared: Trial[] = [];
  for (const { operationId: name, sample } of samples.filter((one) => one.sample.language === language)) {
    const ids = await idsFor(access, name);
    prepared.push({
      name,
      code: ids.reduce((text, [example, id]) => text.replaceAll(example, id), sample.code),
      environment: { ...environment, ...(LOGINS.includes(name) && language === 'JavaScript' && login) },
    });
  }
  assert.ok(prepared.length >= 24);
  return prepared;
}

const LOGINS = ['authorize', 'issueToken'];

/** The server's ids for one sample, by the ids in the examples. */
async function idsFor(access: string, name: string): Promise<[RegExp, string][]> {
  const { world, bot, ada, clientId } = scene;
  const ask = async (path: string, body: object) => (await bot.calls('POST', path, body)).body.data;
  const { groupId } = await ask('/v1/groups', {
    name: 'Neighbours',
    members: [ada.accountId, ben.accountId],
  });
  const poll = await ask('/v1/polls', { groupId, question: 'Tea or coffee?', options: ['Tea', 'Coffee'] });
  const sent = await ask('/v1/messages', { to: ada.accountId, type: 'text', content: 'Sunny' });
  const story = await world.app.inject({
    method: 'POST',
    url: '/v1/stories',
    headers: { authorization: `Bearer ${access}` },
    payload: { type: 'text', text: 'Sunny' },
  });
  const events = (await bot.calls('GET', '/v1/events')).body.data.events;
  const [{ cursor: failed }, { cursor: handled, eventId }] = events.slice(-2);
  return [
    [/usr_01m7y78n3b0002we972feeae|usr_06f2c8k4x1m9q7t3w5z8b2n4/g, ada.accountId],
    [/usr_01m7y7am2c0004q8h5j3kd2t/g, ben.accountId],
    [/grp_\w{24}/g, groupId],
    [/msg_01m7y78nqz000t31zjjc8tsq/g, quoted],
    [/msg_01m7y78nmd0006nmrk1jnnwe/g, poll.msgId],
    [/msg_06f2c8k4x1m9q7t3w5z8b2n4/g, name.endsWith('Message') ? sent.msgId : poll.msgId],
    [/opt_\w{24}/g, poll.poll.options[0].id],
    [/sty_\w{24}/g, story.json().data.storyId],
    [/app_\w{24}/g, clientId],
    [/dlv_\w{24}/g, eventId],
    [/\b1040\b/g, failed],
    [/\b1041\b/g, handled],
  ];
}

function checkOutput(name: string, output: string): void {
  assert.match(
    output,
    EXPECTED[name] ?? /success|_\w{24}|closed|[eE]vents|members|deadLetters|replayed/,
    name,
  );
}

/** The output of each, by name: one process runs them all, since starting one takes longer than a sample. */
async function runTogether(command: string, args: string[], all: readonly Trial[]): Promise<void> {
  const running = run(command, args, { cwd: folder });
  running.child.stdin?.end(JSON.stringify(all));
  const { stdout } = await running;
  const printed = stdout
    .trim()
    .split('\n')
    .map((line): [string, string] => JSON.parse(line));
  assert.deepEqual(
    printed.map(([name]) => name),
    all.map(({ name }) => name),
  );
  for (const [name, output] of printed) {
    if (args[0] === 'all.mjs' && SILENT.includes(name)) assert.equal(output, '', name);
    else checkOutput(name, output);
  }
}

/** Expected in the output, whatever the language. */
const EXPECTED: Record<string, RegExp> = {
  authorize: /response_type=code|^HTTP\/1\.1 303/,
  getAuthorizationServerMetadata: /authorization_endpoint/,
  changeMe: /start/,
  setWebhook: /group\.joined/,
  getProfile: /Ada/,
  reactToMessage: /👍/,
  getUserInfo: /Ada/,
  issueToken: /xat_|userId/,
  replayEvents: /replayed|\d/,
  uploadFile: /\/media\//,
  listEvents: /message\.received/,
};

/** The SDK prints nothing for calls that merely succeed. */
const SILENT = [
  'deleteGroup',
  'addGroupMembers',
  'removeGroupMember',
  'changeGroupRole',
  'changeGroupDetails',
  'sendTyping',
  'showDraft',
  'editMessage',
  'deleteMessage',
  'deleteStory',
  'revokeToken',
  'acknowledgeEvents',
];

test('every curl sample succeeds', async () => {
  for (const { name, code, environment } of await trials('curl')) {
    const command = code.replace('curl ', 'curl --silent --show-error --fail ');
    const env = { ...process.env, ...environment };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder, env });
    checkOutput(name, stdout);
  }
});

test('every JavaScript sample succeeds', async () => {
  const all = await trials('JavaScript');
  for (const { name, code } of all) await writeFile(join(folder, `${name}.mjs`), code);
  const main = `import { text } from 'node:stream/consumers';
const { log } = console;
for (const { name, environment } of JSON.parse(await text(process.stdin))) {
  Object.assign(process.env, environment);
  const lines = [];
  console.log = (...values) => lines.push(values.map((value) => JSON.stringify(value)).join(' '));
  await import(\`./\${name}.mjs\`);
  log(JSON.stringify([name, lines.join('\\n')]));
}`;
  await writeFile(join(folder, 'all.mjs'), main);
  const isAlone = ({ name }: Trial) => name === 'issueToken';
  await runTogether(
    process.execPath,
    ['all.mjs'],
    all.filter((one) => !isAlone(one)),
  );
  const login = all.find(isAlone) as Trial;
  const running = run(process.execPath, [`${login.name}.mjs`], {
    cwd: folder,
    env: { ...process.env, ...login.environment },
  });
  running.child.stdout?.once('data', async (text: string) => {
    const [url = ''] = /http\S+/.exec(String(text)) ?? [];
    running.child.stdin?.end(`${await scene.consentAt(url)}\n`);
  });
  checkOutput(login.name, (await running).stdout);
});

test('every Python sample succeeds', async (t) => {
  if (!has('python3', '--version')) return t.diagnostic('not run: this machine has no python3');
  const main = `import contextlib, io, json, os, sys
for trial in json.load(sys.stdin):
    os.environ.update(trial["environment"])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(trial["code"], {})
    print(json.dumps([trial["name"], printed.getvalue()]))`;
  const all = await trials('Python');
  await runTogether('python3', ['-c', main], all);
  const { code, environment } = all.find(({ name }) => name === 'getMe') as Trial;
  const env = { ...process.env, ...environment, PARLEY_API_KEY: 'whsec_1' };
  await assert.rejects(run('python3', ['-c', code], { env }), { stderr: /this is a webhook secret/ });
});

test('every Go sample succeeds and is formatted as by gofmt', async (t) => {
  if (!has('go', 'version')) return t.diagnostic('not run: this machine has no go');
  const source = join(folder, 'go');
  await mkdir(source);
  const all = await trials('Go');
  // Each is a program of its own; building one that contains them all takes only the time of one.
  for (const { name, code } of all)
    await writeFile(join(source, `${name}.go`), code.replace('main()', `${name}()`));
  const { stdout: unformatted } = await run('gofmt', ['-l', source]);
  assert.equal(unformatted, '');
  const calls = all.map(({ name }) => `\t"${name}": ${name},\n`).join('');
  const main = `package main\n\nimport "os"\n\nfunc main() {\n\tmap[string]func(){\n${calls}}[os.Args[1]]()\n}\n`;
  await writeFile(join(source, 'main.go'), main);
  await writeFile(join(source, 'go.mod'), 'module samples\n');
  const env = { ...process.env, GOCACHE: join(folder, 'cache') };
  await run('go', ['build', '-o', 'samples', '.'], { cwd: source, env });
  for (const { name, environment } of all) {
    const { stdout } = await run(join(source, 'samples'), [name], {
      cwd: folder,
      env: { ...process.env, ...environment },
    });
    if (name !== 'authorize') assert.match(stdout, /^200 OK|^201 Created/, name);
    checkOutput(name, stdout);
  }
});
