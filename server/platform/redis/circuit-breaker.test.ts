import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

test('a refused call names Redis, so that the log does not blame the database', async () => {
  using breaker = new CircuitBreaker({ ask: () => new Promise(() => undefined), onChange: () => undefined });
  await assert.rejects(
    breaker.wait(() => Promise.reject(new Error('ECONNRESET'))),
    /ECONNRESET/,
  );
  await assert.rejects(
    breaker.wait(async () => 'PONG'),
    (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 503);
      assert.equal((error.cause as Error).message, 'Redis does not answer');
      return true;
    },
  );
});
