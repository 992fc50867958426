import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BreakableNetwork, createBreakableNetwork } from '#testing/breakable-network.ts';
import { createTestDatabase } from '#testing/database.ts';
import { eventually } from '#testing/waits.ts';
import { settingsOn, startParley } from './processes.ts';

/** A server that refuses does so within 2 s. */
const ANSWER_MS = 3_000;

const FAILURES: Record<string, (network: BreakableNetwork) => unknown> = {
  'refuses connections': (network) => network.cut(),
  'is silent': (network) => network.freeze(),
};

/** A request that was sent to the database before it fell silent is not answered. */
function isAway(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ status }) => status === 503,
    () => false,
  );
}

for (const [failure, fail] of Object.entries(FAILURES))
  test(`a server whose database ${failure} stops when told to, before it would be killed`, async (t) => {
    const started = new AsyncDisposableStack();
    t.after(() => started.disposeAsync());
    const database = started.use(await createTestDatabase());
    const network = started.use(await createBreakableNetwork(database.url));
    const server = started.use(
      await startParley({
        ...settingsOn(network),
      }),
    );
    await fail(network);
    // By now the background work waits for the database, too.
    await eventually(() => isAway(server.url));
    assert.equal(await server.stop(), 0);
  });
