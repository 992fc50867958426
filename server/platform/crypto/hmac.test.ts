import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { systemRandom } from '../random.ts';
import { hmacSha256 } from './hmac.ts';

test('is that of Node, whatever the length of the key and of the message', () => {
  for (const keyBytes of [0, 1, 24, 32, 63, 64, 65, 200]) {
    for (const bodyBytes of [0, 1, 55, 56, 64, 300, 16_000, 16_400, 100_000]) {
      const [key, body] = [systemRandom.bytes(keyBytes), systemRandom.bytes(bodyBytes)];
      for (const prefix of ['', 'msg_1.1700000000.'])
        for (const encoding of ['hex', 'base64'] as const)
          assert.equal(
            hmacSha256(key, { prefix, body }, encoding),
            createHmac('sha256', key).update(prefix).update(body).digest(encoding),
          );
    }
  }
});
