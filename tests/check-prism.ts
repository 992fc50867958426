import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { type Relay, startRelay } from './openapi/relay.ts';
import { buildSdk } from './sdk/built-sdk.ts';
import { runEveryCall } from './sdk/run-every-call.ts';

/**
 * `npm run check:prism`: every call of the SDK and every error go through Prism as a validating proxy, which may find
 * fault with no answer, and with no request that the server took. `PRISM` names its executable.
 */
const prism = process.env['PRISM'];
if (!prism) {
  console.error(
    'PRISM must name the executable of @stoplight/prism-cli: npm install it in a folder of its own',
  );
  process.exit(2);
}

interface Violation {
  location: string[];
  severity: string;
  message: string;
}

await using running = new AsyncDisposableStack();
await globalSetup();
running.defer(globalTeardown);
const sdk = running.use(buildSdk());
let relay: Relay | undefined;
await runEveryCall({
  node: process.execPath,
  sdk: sdk.url,
  proxy: async (url) => {
    relay = running.use(await startRelay(await startPrism(url)));
    return relay.url;
  },
});
const exchanges = relay?.exchanges ?? [];
const mismatches = exchanges.flatMap(({ method, path, status, answerHeaders }) => {
  const found: Violation[] = JSON.parse(answerHeaders.get('sl-violations') ?? '[]');
  return found
    .filter(({ location, severity }) => severity === 'Error' && (location[0] !== 'request' || status < 300))
    .map(({ location, message }) => `${method} ${path} ${status}: ${location.join('.')} ${message}`);
});
assert.deepEqual(mismatches, []);
const doubted = exchanges.filter(({ answerHeaders }) => answerHeaders.has('sl-violations'));
const statuses = Object.entries(Object.groupBy(exchanges, ({ status }) => String(status)));
console.log(
  `Prism found no mismatch in ${exchanges.length} requests; ${doubted.length} wrong ones the server refused, too:`,
);
console.log(statuses.map(([status, some]) => `  ${status}: ${some?.length}`).join('\n'));

async function startPrism(upstream: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [prism as string, 'proxy', 'contract/openapi.json', upstream, '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  running.defer(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
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
