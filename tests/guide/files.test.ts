import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { signedHeaders } from '#features/webhooks/delivery/attempt.ts';
import { findFreePort } from '#testing/free-port.ts';
import { fieldsOf } from '#testing/html-page.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { Browser } from '../browser.ts';
import { firstLine, startParley } from '../processes.ts';
import { has } from './has.ts';
import { readGuidePages, readNamedFiles } from './pages.ts';

const run = promisify(execFile);
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBndWlkZSwgMzIgYnl0ZXMhISE=';
const OTHER = 'whsec_YW5vdGhlciBzZWNyZXQsIDMyIGJ5dGVzIGxvbmchISE=';
const BODY = '{"type":"message.received","data":{"textMsg":"Grüße"}}';

const files = await readNamedFiles(await readGuidePages());

/** A developer's folder with all files of the guide and their imports. */
async function developersFolder(t: TestContext): Promise<string> {
  const folder = await scratchFolder(t);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  for (const { name, text } of files) await writeFile(join(folder, name), text);
  return folder;
}

/** Headers and bodies, and whether Parley sent them. */
function signedRequests() {
  const now = Math.floor(Date.now() / 1000);
  const sign = (secrets: readonly [string, ...string[]], at = now) =>
    signedHeaders({
      secrets,
      eventId: 'evt_1',
      type: 'message.received',
      at: at * 1000,
      serviceName: undefined,
      body: Buffer.from(BODY),
    });
  const good = sign([SECRET]);
  const requests: [about: string, headers: Record<string, string>, isOurs: boolean, body?: string][] = [
    ['as Parley signs', good, true],
    ['a little old', sign([SECRET], now - 200), true],
    ['while a newer secret overlaps', sign([OTHER, SECRET]), true],
    ['while an older secret overlaps', sign([SECRET, OTHER]), true],
    ['another body', good, false, `${BODY} `],
    ['another secret', sign([OTHER]), false],
    ['too old', sign([SECRET], now - 400), false],
    ['from the future', sign([SECRET], now + 400), false],
    ['another time', { ...good, 'webhook-timestamp': String(now - 1) }, false],
    ['another event', { ...good, 'webhook-id': 'evt_2' }, false],
    ['no number', { ...good, 'webhook-timestamp': 'now' }, false],
    ['no signature', { ...good, 'webhook-signature': '' }, false],
    ['short', { ...good, 'webhook-signature': 'v1,abcd' }, false],
    ['no base64', { ...good, 'webhook-signature': `v1,${'é'.repeat(32)}` }, false],
    ['no headers', {}, false],
  ];
  return requests;
}

/** How the check of a language is called, after `builds`. */
const CHECKS = [
  {
    language: 'Node',
    call: [process.execPath, 'main.mjs'],
    file: 'main.mjs',
    main: `import { isFromParley } from './verify.mjs';
const [secret, headers, body] = process.argv.slice(2);
console.log(isFromParley(secret, JSON.parse(headers), Buffer.from(body)));`,
  },
  {
    language: 'Python',
    needs: ['python3', '--version'],
    call: ['python3', 'main.py'],
    file: 'main.py',
    main: `import json, sys
from verify import is_from_parley
print(is_from_parley(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].encode()))`,
  },
  {
    language: 'Go',
    needs: ['go', 'version'],
    builds:
      "sed -i 's/package parley/package main/' verify.go && GOCACHE=$PWD/cache go build -o verify main.go verify.go",
    call: ['./verify'],
    file: 'main.go',
    main: `package main
import ("encoding/json"; "fmt"; "net/http"; "os")
func main() {
	var given map[string]string
	json.Unmarshal([]byte(os.Args[2]), &given)
	headers := http.Header{}
	for name, value := range given { headers.Set(name, value) }
	fmt.Println(IsFromParley(os.Args[1], headers, []byte(os.Args[3])))
}`,
  },
];

for (const { language, needs: [program, ...version] = [], builds, call, file, main } of CHECKS)
  test(`the signature check for ${language} accepts our requests and nothing else`, async (t) => {
    if (program && !has(program, ...version)) return t.diagnostic(`not run: this machine has no ${program}`);
    const cwd = await developersFolder(t);
    await writeFile(join(cwd, file), main);
    if (builds) await run('bash', ['-c', builds], { cwd });
    const [command = '', ...args] = call;
    for (const [about, headers, isOurs, body = BODY] of signedRequests()) {
      const { stdout } = await run(command, [...args, SECRET, JSON.stringify(headers), body], { cwd });
      assert.equal(stdout.trim().toLowerCase(), String(isOurs), about);
    }
  });

test('all JavaScript and TypeScript in the guide passes the strict type check', async (t) => {
  const folder = await developersFolder(t);
  const config = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      allowJs: true,
      checkJs: true,
      noPropertyAccessFromIndexSignature: false,
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
      paths: {
        'parley-sdk': [resolve('sdk/index.ts')],
        'parley-sdk/node': [resolve('sdk/node/index.ts')],
        'parley-sdk/postgres': [resolve('sdk/postgres/index.ts')],
        'parley-sdk/chat-sdk': [resolve('sdk/chat-sdk/index.ts')],
        'parley-testing': [resolve('sdk/testing/index.ts')],
      },
    },
    include: ['*.ts', '*.mjs'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const { stdout } = await run(resolve('node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error);
  assert.equal(stdout, '');
});

test('a person signs in with the stock OAuth client of the guide', async (t) => {
  const folder = await developersFolder(t);
  const server = await startParley({ DATA_DIR: join(folder, 'data') });
  t.after(() => server[Symbol.asyncDispose]());
  const port = await findFreePort();
  const browser = new Browser(server.url);
  await browser.post('/api/auth/sign-up', {
    email: 'ada@example.com',
    password: 'correct horse',
    name: 'Ada Lovelace',
  });
  const made = await browser.post('/api/console/applications', { name: 'Diary' });
  await browser.post(`/api/console/applications/${made['appId']}/redirect-uris`, {
    redirectUri: `http://localhost:${port}/callback`,
  });
  const client = spawn(process.execPath, ['login.mjs'], {
    cwd: folder,
    env: {
      ...process.env,
      // As named by the discovery document.
      PARLEY_URL: server.url.replace('127.0.0.1', 'localhost'),
      CLIENT_ID: String(made['appId']),
      CLIENT_SECRET: String(made['clientSecret']),
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => client.kill());
  await firstLine(client);
  const origin = `http://localhost:${port}`;
  const begun = await fetch(`${origin}/`, { redirect: 'manual' });
  const page = await browser.page(begun.headers.get('location') ?? '');
  const consent = fieldsOf(await page.text(), '/oauth/consent');
  const approved = await browser.page('/oauth/consent', { ...consent, decision: 'approve' });
  const callback = approved.headers.get('location') ?? '';
  const welcome = await fetch(callback);
  assert.equal(await welcome.text(), 'Welcome, Ada Lovelace!');
  const again = await fetch(callback);
  assert.equal(again.status, 400);
});
