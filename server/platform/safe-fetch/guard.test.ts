import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { describe, it, type TestContext } from 'node:test';
import { POST } from '#testing/guarded-agent.ts';
import { startReceiver } from '#testing/receiver.ts';
import { WebhookAgent } from './agent.ts';
import { createGuard, guardOf, lookupPublicName, lookupTrustedName } from './guard.ts';
import { safePost } from './safe-post.ts';

const nothing = Object.assign(new Error('queryA ENODATA'), { code: 'ENODATA' });

function answerWith(t: TestContext, v4: string[] | Error, v6: string[] | Error): void {
  const reply = (answer: string[] | Error) => async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  t.mock.method(Resolver.prototype, 'resolve4', reply(v4));
  t.mock.method(Resolver.prototype, 'resolve6', reply(v6));
}

describe('lookupPublicName', () => {
  it('returns all addresses, IPv4 first', async (t) => {
    answerWith(t, ['1.1.1.1', '1.0.0.1'], ['2606:4700::1111']);
    assert.deepEqual(await lookupPublicName('hooks.example.com'), [
      { address: '1.1.1.1', family: 4 },
      { address: '1.0.0.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('accepts a name with one address family', async (t) => {
    answerWith(t, nothing, ['2606:4700::1111']);
    assert.deepEqual(await lookupPublicName('hooks.example.com'), [
      { address: '2606:4700::1111', family: 6 },
    ]);
    answerWith(t, ['1.1.1.1'], nothing);
    assert.deepEqual(await lookupPublicName('hooks.example.com'), [{ address: '1.1.1.1', family: 4 }]);
  });

  it('throws when there is no address', async (t) => {
    answerWith(t, nothing, nothing);
    await assert.rejects(lookupPublicName('hooks.example.com'), nothing);
  });
});

it('lookupTrustedName reads the hosts file', async () => {
  const addresses = await lookupTrustedName('localhost');
  assert.ok(addresses.some(({ address }) => address === '127.0.0.1' || address === '::1'));
});

it('a host of the operator is looked up in the hosts file, and a host that is trusted later is not', async (t) => {
  answerWith(t, ['10.0.0.7'], nothing);
  const guard = createGuard({ trustedHosts: ['localhost'] });
  const [own] = await guard.resolve('localhost', 443);
  assert.ok(own && own.address !== '10.0.0.7');
  const name = 'hooks.example.com';
  await assert.rejects(guard.resolve(name, 443), { reason: 'private_address' });
  const trusting = guard.trusting(`${name}:443`);
  assert.deepEqual(await trusting.resolve(name, 443), [{ address: '10.0.0.7', family: 4 }]);
  await assert.rejects(trusting.resolve(name, 444), { reason: 'private_address' });
  await assert.rejects(guard.resolve(name, 443), { reason: 'private_address' });
});

it('a private host and its authority are trusted if the settings name both', async () => {
  await using receiver = await startReceiver({ host: '127.0.0.1' });
  const post = async (webhookTrustedHosts: string[], webhookCa: string | undefined) => {
    using agent = new WebhookAgent(guardOf({ webhookTrustedHosts, webhookCa }));
    const result = await safePost(agent, { url: receiver.url, ...POST });
    return result.kind === 'response' ? result.status : result.reason;
  };
  const { trustedHost, ca } = receiver;
  assert.equal(await post([], ca), 'url');
  assert.equal(await post([trustedHost], undefined), 'tls_untrusted');
  assert.equal(await post([trustedHost], ca), 200);
});
