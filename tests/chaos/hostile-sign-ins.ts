import assert from 'node:assert/strict';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startParley } from '../processes.ts';
import { createScratch } from '../scratch.ts';

const ADDRESSES = 10;
const ACCOUNTS_PER_ADDRESS = 5;
const VICTIMS = 20;
/** Average number of attempts per attacker before the victims arrive. */
const HEAD_START = 3;
const LONGEST_SIGN_IN_MS = 3_000;
const PASSWORD = 'correct horse battery';

interface Somebody {
  email: string;
  /** A loopback address, so that each client has its own. */
  address: string;
}

/**
 * 10 addresses sign in to 5 accounts each, with correct passwords and as fast as they can. 20 victims, first from networks
 * without attackers and then from those of the attackers, sign in within 3 s each, as they do without the attack.
 */
await using scratch = await createScratch();
await using server = await startParley({ ...scratch.environment, LOG_LEVEL: 'fatal' });
const attackers = people('attacker', ADDRESSES * ACCOUNTS_PER_ADDRESS, (i) => `127.1.${i % ADDRESSES}.1`);
const strangers = people('stranger', VICTIMS, (i) => `127.2.0.${i + 1}`);
const alone = people('alone', VICTIMS, (i) => `127.3.0.${i + 1}`);
const neighbours = people('neighbour', VICTIMS, (i) => `127.1.${i % ADDRESSES}.${i + 2}`);
await Promise.all(
  [...attackers, ...alone, ...strangers, ...neighbours].map(async ({ email, address }) => {
    const { status } = await post('/api/auth/sign-up', { email, password: PASSWORD, name: 'Ada' }, address);
    assert.equal(status, 201);
  }),
);

const longestMs: Record<string, number> = {};
await measure('alone', alone);
const ending = new AbortController();
const answers = new Map<number, number>();
const attack = Promise.all(
  attackers.map(async ({ email, address }) => {
    while (!ending.signal.aborted) {
      const { status } = await post('/api/auth/sign-in', { email, password: PASSWORD }, address);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  }),
);
while (count() < HEAD_START * attackers.length) await pause(50);
await measure('strangers', strangers);
await measure('neighbours', neighbours);
ending.abort();
await attack;
console.log({ longestMs, attackers: Object.fromEntries(answers) });
for (const [name, ms] of Object.entries(longestMs)) {
  assert.ok(ms < LONGEST_SIGN_IN_MS, `a sign-in took ${ms} ms (${name})`);
}

/** The number of responses to the attackers. */
function count(): number {
  return [...answers.values()].reduce((sum, one) => sum + one, 0);
}

/** Signs all of them in concurrently. */
async function measure(name: string, victims: Somebody[]): Promise<void> {
  longestMs[name] = Math.round(Math.max(...(await Promise.all(victims.map(timeSignIn)))));
}

async function timeSignIn({ email, address }: Somebody): Promise<number> {
  const began = performance.now();
  const { status } = await post('/api/auth/sign-in', { email, password: PASSWORD }, address);
  // Infinity if the sign-in failed.
  return status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY;
}

function people(kind: string, count: number, addressOf: (i: number) => string): Somebody[] {
  return Array.from({ length: count }, (_, i) => ({
    email: `${kind}${i}@example.com`,
    address: addressOf(i),
  }));
}

function post(path: string, body: object, localAddress: string): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      new URL(path, server.url),
      { method: 'POST', localAddress, agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        response.resume();
        response.once('end', () => resolve({ status: response.statusCode ?? 0 }));
      },
    );
    request.once('error', reject);
    request.end(JSON.stringify(body));
  });
}
