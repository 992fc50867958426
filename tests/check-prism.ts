import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listening } from '#testing/free-port.ts';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { type Exchange, startRelay } from './openapi/relay.ts';
import { buildSdk } from './sdk/built-sdk.ts';
import { runEveryCall } from './sdk/run-every-call.ts';

/**
 * `npm run check:prism`: Prism, as a validating proxy, must accept every response, and every request that the server
 * accepted. First every call of the SDK and every error go through it to a running server; then everything that the test
 * suite sent without extensions to the routes of the OpenAPI document, with the server's responses. Prism is downloaded from npm.
 */
const PRISM = '@stoplight/prism-cli@5.16.0';
const DOCUMENT = 'contract/openapi.json';

interface Violation {
  location: string[];
  severity: string;
  message: string;
}

/** In tests of extensions, which change requests and responses of routes that the document describes without them. */
const EXTENSION_SIGN = /openid-scene|takesPublishedClients/;

/** Not yet with the database of this process in it: the suite has one of its own. */
const ownEnvironment = { ...process.env };

await using running = new AsyncDisposableStack();
await globalSetup();
running.defer(globalTeardown);
report('every call of the SDK', await exchangeEveryCall());
report('the test suite', await exchangeAgain(await recordSuite()));

/** The calls of the SDK, each through Prism to a running server. */
async function exchangeEveryCall(): Promise<Exchange[]> {
  const sdk = running.use(buildSdk());
  const exchanges: Exchange[][] = [];
  await runEveryCall({
    node: process.execPath,
    sdk: sdk.url,
    proxy: async (url) => {
      const relay = running.use(await startRelay(await startPrism(url)));
      exchanges.push(relay.exchanges);
      return relay.url;
    },
  });
  return exchanges.flat();
}

type Recorded = Omit<Exchange, 'answerHeaders'> & { answerHeaders: Record<string, string | string[]> };

/** Runs the tests of `/v1` and `/oauth` without extensions, and reads the recorded exchanges. */
async function recordSuite(): Promise<Recorded[]> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-exchanges-'));
  running.defer(() => rm(directory, { recursive: true, force: true }));
  const files = globSync('server/**/*.test.ts').filter((file) => {
    const text = readFileSync(file, 'utf8');
    return /\/(v1|oauth)\//.test(text) && !EXTENSION_SIGN.test(text);
  });
  const preload = new URL('openapi/record-exchanges.ts', import.meta.url).href;
  const suite = spawn(
    process.execPath,
    ['--test', '--test-reporter=dot', '--test-global-setup=server/testing/global-setup.ts', ...files],
    {
      stdio: 'inherit',
      env: { ...ownEnvironment, EXCHANGES: directory, NODE_OPTIONS: `--import=${preload}` },
    },
  );
  const [code] = await once(suite, 'exit');
  assert.equal(code, 0, 'the tests pass');
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  return globSync(`${directory}/*.ndjson`)
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Recorded)
    .filter(({ method, path }) => document.paths[path.split('?', 1)[0] ?? '']?.[method.toLowerCase()]);
}

/** Replays the recorded requests through Prism; behind it, each gets its recorded response. */
async function exchangeAgain(recorded: Recorded[]): Promise<Exchange[]> {
  const server = createServer((request, response) => {
    const { status, answerHeaders, answer } = recorded[Number(request.headers['x-exchange'])] as Recorded;
    response.writeHead(status, answerHeaders).end(answer);
  });
  running.defer(() => void server.close().closeAllConnections());
  const prism = await startPrism(`http://127.0.0.1:${await listening(server)}`);
  const exchanges: Exchange[] = [];
  for (const [i, { method, path, headers, body }] of recorded.entries()) {
    const { host: _, connection: __, 'content-length': ___, ...given } = headers;
    const reply = await fetch(prism + path, {
      method,
      headers: { ...given, ...capitalised(given), 'x-exchange': String(i) },
      ...(body && { body }),
      redirect: 'manual',
    });
    const answer = await reply.text();
    assert.equal(reply.status, recorded[i]?.status, `${method} ${path} came through`);
    exchanges.push({
      method,
      path,
      headers,
      body,
      status: reply.status,
      answerHeaders: reply.headers,
      answer,
    });
  }
  return exchanges;
}

/** Prism accepts only "Bearer", although RFC 9110 §11.1 makes the scheme case-insensitive. */
function capitalised({ authorization }: Record<string, string>): { authorization?: string } {
  return authorization ? { authorization: authorization.replace(/^bearer /i, 'Bearer ') } : {};
}

/** Ends with an error at the first violation that is ours. */
function report(source: string, exchanges: Exchange[]): void {
  const mismatches = exchanges.flatMap(({ method, path, status, answerHeaders }) => {
    const found: Violation[] = JSON.parse(answerHeaders.get('sl-violations') ?? '[]');
    return found
      .filter(({ location, severity }) => severity === 'Error' && (location[0] !== 'request' || status < 300))
      .map(({ location, message }) => `${method} ${path} ${status}: ${location.join('.')} ${message}`);
  });
  assert.deepEqual([...new Set(mismatches)], []);
  const doubted = exchanges.filter(({ answerHeaders }) => answerHeaders.has('sl-violations'));
  console.log(
    `Prism found no mismatch in the ${exchanges.length} requests of ${source}; ${doubted.length} wrong ones the server refused, too:`,
  );
  for (const [status, some] of Object.entries(Object.groupBy(exchanges, (one) => one.status))) {
    console.log(`  ${status}: ${some?.length}`);
  }
}

async function startPrism(upstream: string): Promise<string> {
  const command = [
    'exec',
    '--yes',
    `--package=${PRISM}`,
    '--',
    'prism',
    'proxy',
    DOCUMENT,
    upstream,
    '--port',
    '0',
  ];
  const child = spawn('npm', command, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  running.defer(async () => {
    if (child.exitCode !== null || child.pid === undefined) return;
    // Kills npm and the processes that it started.
    process.kill(-child.pid);
    await once(child, 'exit');
  });
  for await (const line of createInterface(child.stdout)) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (url) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error('Prism did not start');
}
