import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { HostWatch } from './host-watch.ts';
import { type Host, Hosts } from './hosts.ts';

/** A host that answers each question, none, or refuses. */
type Manner = 'answers' | 'is silent' | 'refuses';

function watchOf(names: string) {
  const hosts = new Hosts(`postgres://me@${names}/parley`);
  const manners = new Map<Host, Manner>(hosts.all.map((host) => [host, 'answers']));
  const owed = new Map<Host, () => void>();
  const left: string[] = [];
  const closedFor: number[] = [];
  const pool = {
    isInUse: true,
    closeLentFor: (ticks: number) => void closedFor.push(ticks),
    leave: ({ name }: Host) => void left.push(name),
  };
  const watch = new HostWatch(hosts, pool, (route) => {
    const [host] = route.inOrder() as [Host];
    return {
      isLost: false,
      async ask() {
        if (manners.get(host) === 'refuses') throw new Error('ECONNREFUSED');
        if (manners.get(host) === 'is silent') await new Promise<void>((answer) => owed.set(host, answer));
      },
      close: async () => {},
    };
  });
  const [first, second, third] = hosts.all as [Host, Host, Host];
  return {
    watch,
    pool,
    left,
    closedFor,
    hosts: { first, second, third },
    /** From now on; what a silent host owes, it answers. */
    becomes(host: Host, manner: Manner) {
      manners.set(host, manner);
      owed.get(host)?.();
      owed.delete(host);
    },
    async ticks(times: number) {
      for (let i = 0; i < times; i++) {
        watch.tick();
        await new Promise(setImmediate);
      }
    },
    away: () => hosts.all.filter(({ failure }) => failure !== undefined).map(({ name }) => name),
  };
}

test('a host that alone is silent gets no new work after half a second, and is away after one and a half', async () => {
  const { hosts, becomes, ticks, away } = watchOf('a,b,c');
  await ticks(2);
  becomes(hosts.second, 'is silent');
  await ticks(2);
  assert.deepEqual([hosts.second.isLate, away()], [false, []]);
  await ticks(1);
  assert.deepEqual([hosts.second.isLate, hosts.first.isLate], [true, false]);
  await ticks(3);
  assert.deepEqual(away(), []);
  await ticks(1);
  assert.deepEqual(away(), ['b']);
  becomes(hosts.second, 'answers');
  await ticks(3);
  assert.deepEqual([away(), hosts.second.isLate], [[], false]);
});

test('if most hosts are silent it is load: none is away, and new work is refused only once all are silent', async () => {
  const { watch, hosts, becomes, ticks, away } = watchOf('a,b,c');
  await ticks(2);
  becomes(hosts.first, 'is silent');
  becomes(hosts.second, 'is silent');
  await ticks(40);
  assert.deepEqual([away(), watch.isAnswering], [[], true]);
  becomes(hosts.third, 'is silent');
  await ticks(40);
  assert.deepEqual([away(), watch.isAnswering], [[], false]);
  assert.deepEqual(
    [hosts.first.isLate, hosts.third.isLate],
    [false, false],
    'no host is better than the others',
  );
  becomes(hosts.first, 'answers');
  await ticks(1);
  assert.equal(watch.isAnswering, true);
});

test('the only host is never away because it is silent', async () => {
  const { watch, hosts, becomes, ticks, away } = watchOf('a');
  becomes(hosts.first, 'is silent');
  await ticks(100);
  assert.deepEqual([away(), watch.isAnswering], [[], false]);
});

test('what was sent to a host fails once it has been silent for longer than a statement may take', async () => {
  const { watch, hosts, becomes, ticks, away } = watchOf('a');
  const socket = new Socket();
  hosts.first.hold(socket);
  socket.on('error', () => {});
  becomes(hosts.first, 'is silent');
  await ticks(128);
  assert.equal(socket.destroyed, false);
  await ticks(1);
  assert.deepEqual([socket.destroyed, away(), watch.isAnswering], [true, [], false]);
  becomes(hosts.first, 'answers');
  await ticks(1);
  assert.equal(watch.isAnswering, true);
});

test('a host that refuses is away at once, and is asked again ever more rarely', async () => {
  const { watch, hosts, closedFor, becomes, ticks, away } = watchOf('a,b,c');
  await ticks(1);
  becomes(hosts.third, 'refuses');
  await ticks(1);
  assert.deepEqual([away(), watch.isAnswering], [['c'], true]);
  assert.deepEqual([watch.isPartAway, closedFor], [false, []], 'no statement needs it, but in a cluster');
  assert.equal(await watch.probe(), true);
  await ticks(60);
  assert.deepEqual(away(), ['c']);
  becomes(hosts.third, 'answers');
  await ticks(9);
  assert.deepEqual(away(), []);
});

test('in a cluster, what others have had for a second is closed while a node is away', async () => {
  const { watch, hosts, closedFor, becomes, ticks } = watchOf('a,b,c');
  watch.isCluster = true;
  await ticks(1);
  assert.deepEqual([watch.isPartAway, closedFor], [false, []]);
  becomes(hosts.second, 'refuses');
  await ticks(2);
  assert.equal(watch.isPartAway, true);
  assert.deepEqual(new Set(closedFor), new Set([4]));
});

test('a database that nobody uses is not asked', async () => {
  const { pool, hosts, becomes, ticks, away } = watchOf('a,b,c');
  pool.isInUse = false;
  becomes(hosts.first, 'refuses');
  await ticks(20);
  assert.deepEqual(away(), []);
});
