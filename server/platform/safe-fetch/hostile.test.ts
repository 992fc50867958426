import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { sayOfField } from '#contract/reasons.ts';
import { REFUSED_ADDRESSES } from '#testing/hostile-addresses.ts';
import { HOSTILE_URLS } from '#testing/hostile-urls.ts';
import { startReceiver } from '#testing/receiver.ts';
import { LONGEST_WAIT_MS } from '#testing/waits.ts';
import { WebhookAgent } from './agent.ts';
import { sayFailure } from './failure.ts';
import { checkForSaving, createGuard, type Lookup } from './guard.ts';
import { safePost } from './safe-post.ts';
import type { UrlFault } from './url.ts';

const BODY = { headers: {}, body: Buffer.from('{}'), deadlineMs: LONGEST_WAIT_MS };
const URL_OF_NAME = 'https://hooks.example.com/hook';
const PUBLIC = ['1.1.1.1', '2606:4700:4700::1111'];

/** A port that nothing may reach, and the connections that this process begins until the end of a test. */
async function startWatch() {
  let [arrived, dialled] = [0, 0];
  const listener = createServer(() => arrived++).listen(0, '::');
  await once(listener, 'listening');
  // Node creates such an object for every connection attempt.
  const hook = createHook({
    init(_, type) {
      if (type === 'TCPCONNECTWRAP' || type === 'PIPECONNECTWRAP') dialled++;
    },
  }).enable();
  return {
    port: (listener.address() as AddressInfo).port,
    counts: () => ({ arrived, dialled }),
    [Symbol.dispose]() {
      hook.disable();
      listener.close();
    },
  };
}

const NONE = { arrived: 0, dialled: 0 };

describe('no hostile address is connected to', () => {
  it('the check detects a real connection', async () => {
    using watch = await startWatch();
    await using receiver = await startReceiver({ tls: 'plain', host: '127.0.0.1' });
    using agent = new WebhookAgent(createGuard({ trustedHosts: [receiver.trustedHost] }));
    const result = await safePost(agent, { url: receiver.url, ...BODY });
    assert.equal(result.kind, 'response');
    assert.deepEqual(watch.counts(), { ...NONE, dialled: 1 });
  });

  for (const [fault, texts] of Object.entries(HOSTILE_URLS) as [UrlFault, string[]][]) {
    it(`${texts.length} URLs with the fault ${fault}`, async () => {
      using watch = await startWatch();
      using agent = new WebhookAgent(createGuard({ lookup: () => assert.fail('looked up') }));
      for (const text of texts) {
        const url = text.replaceAll('PORT', String(watch.port));
        const { timings, ...result } = await safePost(agent, { url, ...BODY });
        const said = sayOfField('URL', `url-${fault}`);
        assert.deepEqual(result, { kind: 'failure', reason: 'url', phase: 'url', said }, text);
        assert.deepEqual(
          { ...timings, total: 0 },
          { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
        );
      }
      assert.deepEqual(watch.counts(), NONE);
    });
  }

  const answers: [what: string, addresses: string[]][] = [
    ...REFUSED_ADDRESSES.map(([address, why]): [string, string[]] => [`${address} (${why})`, [address]]),
    ...REFUSED_ADDRESSES.map(([address]): [string, string[]] => [
      `public ones, then ${address}`,
      [...PUBLIC, address],
    ]),
    ...REFUSED_ADDRESSES.map(([address]): [string, string[]] => [
      `${address}, then public ones`,
      [address, ...PUBLIC],
    ]),
    ['a name', ['localhost']],
    ['a short form', ['127.1']],
    ['a number', ['2130706433']],
    ['an octal form', ['0177.0.0.1']],
    ['an empty address', ['']],
    ['an address with a zone', ['fe80::1%lo']],
    ['a public address with a zone', ['2606:4700:4700::1111%lo']],
    ['an address in brackets', ['[2606:4700:4700::1111]']],
  ];
  it(`${answers.length} hostile DNS answers`, async () => {
    using watch = await startWatch();
    for (const [what, addresses] of answers) {
      const lookup: Lookup = async () =>
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const guard = createGuard({ lookup });
      using agent = new WebhookAgent(guard);
      const { timings, ...result } = await safePost(agent, { url: URL_OF_NAME, ...BODY });
      const said = sayFailure('private_address', '');
      assert.deepEqual(result, { kind: 'failure', reason: 'private_address', phase: 'dns', said }, what);
      assert.equal(timings.connect, null);
      assert.deepEqual(await checkForSaving(guard, URL_OF_NAME), { fault: 'private-address' }, what);
    }
    assert.deepEqual(watch.counts(), NONE);
  });

  it('a name that was public when saved and is private when connecting', async () => {
    using watch = await startWatch();
    const asked: string[] = [];
    const rebinding: Lookup = async (host) => {
      asked.push(host);
      return [{ address: asked.length === 1 ? '1.1.1.1' : '127.0.0.1', family: 4 }];
    };
    const guard = createGuard({ lookup: rebinding });
    using agent = new WebhookAgent(guard);
    const url = `https://hooks.example.com:${watch.port}/hook`;
    assert.ok('url' in (await checkForSaving(guard, url)));
    const result = await safePost(agent, { url, ...BODY });
    assert.equal(result.kind === 'failure' && result.reason, 'private_address');
    assert.deepEqual(asked, ['hooks.example.com', 'hooks.example.com']);
    assert.deepEqual(watch.counts(), NONE);
  });

  it('a trusted port does not open the other ports of its host', async () => {
    using watch = await startWatch();
    const loopback: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const guard = createGuard({ trustedHosts: ['hooks.example.com:1'], lookup: loopback });
    using agent = new WebhookAgent(guard);
    const result = await safePost(agent, { url: `https://hooks.example.com:${watch.port}/`, ...BODY });
    assert.equal(result.kind === 'failure' && result.reason, 'private_address');
    assert.deepEqual(watch.counts(), NONE);
  });
});

describe('checkForSaving', () => {
  const answer =
    (address: string): Lookup =>
    async () => [{ address, family: 4 }];

  it('accepts a name with public addresses, and one that does not resolve yet', async () => {
    const missing: Lookup = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    for (const lookup of [answer('1.1.1.1'), missing, async () => []]) {
      assert.ok('url' in (await checkForSaving(createGuard({ lookup }), URL_OF_NAME)));
    }
  });

  it('does not wait for a hanging lookup', async () => {
    const guard = createGuard({ lookup: () => new Promise(() => {}) });
    assert.ok('url' in (await checkForSaving(guard, URL_OF_NAME, 50)));
  });

  it('looks up neither literal addresses nor invalid URLs', async () => {
    const guard = createGuard({ lookup: () => assert.fail('asked') });
    assert.ok('url' in (await checkForSaving(guard, 'https://8.8.8.8/')));
    assert.deepEqual(await checkForSaving(guard, 'https://127.0.0.1/'), { fault: 'private-address' });
    assert.deepEqual(await checkForSaving(guard, 'http://hooks.example.com/'), { fault: 'scheme' });
  });

  it('hides no fault of the lookup itself', async () => {
    const fault = new TypeError('no function');
    const lookup = () => {
      throw fault;
    };
    await assert.rejects(checkForSaving(createGuard({ lookup }), URL_OF_NAME), fault);
  });

  it('accepts a trusted host on a private address', async () => {
    const guard = createGuard({ trustedHosts: ['localhost:4000'], lookup: answer('127.0.0.1') });
    assert.ok('url' in (await checkForSaving(guard, 'http://localhost:4000/hook')));
  });
});
