import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort } from '#testing/free-port.ts';
import { fieldsOf } from '#testing/html-page.ts';
import { Browser } from '../browser.ts';
import { firstLine, startParley } from '../processes.ts';
import { has } from './has.ts';
import { readGuidePages, readNamedFiles } from './pages.ts';

const run = promisify(execFile);
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBndWlkZSwgMzIgYnl0ZXMhISE=';
const BODY = '{"type":"message.received","data":{"textMsg":"Grüße"}}';

const files = await readNamedFiles(await readGuidePages());

/** A developer's folder with all files of the guide and their imports. */
async function developersFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-guide-files-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  for (const { name, text } of files) await writeFile(join(folder, name), text);
  return folder;
}

interface Signed {
  about: string;
  header: string;
  body: string;
  isOurs: boolean;
}

function signedRequests(): Signed[] {
  const now = Math.floor(Date.now() / 1000);
  const v1 = (time: number, secret = SECRET) =>
    createHmac('sha256', secret).update(`${time}.${BODY}`).digest('hex');
  const good = `t=${now},v1=${v1(now)}`;
  return [
    { about: 'as Parley signs', header: good, body: BODY, isOurs: true },
    { about: 'a little old', header: `t=${now - 200},v1=${v1(now - 200)}`, body: BODY, isOurs: true },
    {
      about: 'two signatures',
      header: `t=${now},v1=${v1(now, 'whsec_new')},v1=${v1(now)}`,
      body: BODY,
      isOurs: false,
    },
    { about: 'another body', header: good, body: `${BODY} `, isOurs: false },
    { about: 'another secret', header: `t=${now},v1=${v1(now, 'whsec_other')}`, body: BODY, isOurs: false },
    { about: 'too old', header: `t=${now - 400},v1=${v1(now - 400)}`, body: BODY, isOurs: false },
    { about: 'from the future', header: `t=${now + 400},v1=${v1(now + 400)}`, body: BODY, isOurs: false },
    { about: 'another time', header: `t=${now - 1},v1=${v1(now)}`, body: BODY, isOurs: false },
    { about: 'no time', header: `v1=${v1(now)}`, body: BODY, isOurs: false },
    { about: 'no number', header: `t=now,v1=${v1(now)}`, body: BODY, isOurs: false },
    { about: 'no signature', header: `t=${now}`, body: BODY, isOurs: false },
    { about: 'short', header: `t=${now},v1=abcd`, body: BODY, isOurs: false },
    { about: 'no hex', header: `t=${now},v1=${'é'.repeat(32)}`, body: BODY, isOurs: false },
    { about: 'empty', header: '', body: BODY, isOurs: false },
  ];
}

async function judges(command: string, args: string[], cwd: string): Promise<void> {
  for (const { about, header, body, isOurs } of signedRequests()) {
    const { stdout } = await run(command, [...args, SECRET, header, body], { cwd });
    assert.equal(stdout.trim().toLowerCase(), String(isOurs), about);
  }
}

test('the signature check for Node accepts our requests and nothing else', async (t) => {
  const folder = await developersFolder(t);
  const main = `import { isFromParley } from './verify.mjs';
const [secret, header, body] = process.argv.slice(2);
console.log(isFromParley(secret, header, Buffer.from(body)));`;
  await writeFile(join(folder, 'main.mjs'), main);
  await judges(process.execPath, ['main.mjs'], folder);
});

test('the check for Python accepts our requests and nothing else', async (t) => {
  if (!has('python3', '--version')) return t.diagnostic('not run: this machine has no python3');
  const folder = await developersFolder(t);
  const main = `import sys
from verify import is_from_parley
print(is_from_parley(sys.argv[1], sys.argv[2], sys.argv[3].encode()))`;
  await writeFile(join(folder, 'main.py'), main);
  await judges('python3', ['main.py'], folder);
});

test('the check for Go accepts our requests and nothing else', async (t) => {
  if (!has('go', 'version')) return t.diagnostic('not run: this machine has no go');
  const folder = await developersFolder(t);
  const main = `package main
import ("fmt"; "os")
func main() { fmt.Println(IsFromParley(os.Args[1], os.Args[2], []byte(os.Args[3]))) }`;
  const verify = files
    .find(({ name }) => name === 'verify.go')
    ?.text.replace('package parley', 'package main');
  await writeFile(join(folder, 'verify.go'), verify ?? '');
  await writeFile(join(folder, 'main.go'), main);
  await run('go', ['build', '-o', 'verify', 'main.go', 'verify.go'], {
    cwd: folder,
    env: { ...process.env, GOCACHE: join(folder, 'cache') },
  });
  await judges('./verify', [], folder);
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
