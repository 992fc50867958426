import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startRawReceiver } from '#testing/raw-receiver.ts';
import { type Receiver, startReceiver } from '#testing/receiver.ts';

const SCRIPT = `
  const { WebhookAgent } = await import('#platform/safe-fetch/agent.ts');
  const { createGuard } = await import('#platform/safe-fetch/guard.ts');
  const { safePost } = await import('#platform/safe-fetch/safe-post.ts');
  const { url, trustedHost, ca } = JSON.parse(process.env.RECEIVER);
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  using agent = new WebhookAgent(createGuard({ trustedHosts: [trustedHost], extraAuthorities: [ca], lookup }));
  const result = await safePost(agent, { url, headers: {}, body: Buffer.from('{}') });
  console.log(result.kind === 'response' ? result.status : result.reason);
`;

/** Posts from a separate process, since Node reads these variables when it starts. */
async function postWith(env: Record<string, string>, { url, trustedHost, ca }: Receiver): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env, RECEIVER: JSON.stringify({ url, trustedHost, ca }) },
  });
  return stdout.trim();
}

describe('the environment has no effect', () => {
  it('on where a request goes: proxy variables', async () => {
    await using proxy = await startRawReceiver((socket) => socket.destroy());
    const address = `http://127.0.0.1:${proxy.port}`;
    const env = Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
        name,
        address,
      ]),
    );
    for (const tls of ['valid', 'plain'] as const) {
      await using receiver = await startReceiver({ tls });
      assert.equal(
        await postWith({ ...env, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '' }, receiver),
        '200',
      );
    }
    assert.equal(proxy.sockets.length, 0);
  });

  it('on the verification of certificates: NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
    for (const [tls, reason] of [
      ['self-signed', 'tls_untrusted'],
      ['wrong-name', 'tls_name'],
      ['expired', 'tls_expired'],
    ] as const) {
      await using receiver = await startReceiver({ tls });
      assert.equal(await postWith(env, receiver), reason);
      assert.equal(receiver.requests.length, 0);
    }
  });
});
