import assert from 'node:assert/strict';
import { createServer, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type BreakableNetwork, createBreakableNetwork } from '#testing/breakable-network.ts';
import { createTestDatabase } from '#testing/database.ts';
import { listening } from '#testing/free-port.ts';
import { eventually, PATIENT } from '#testing/waits.ts';
import { databaseUrl } from '../../config/readers.ts';
import { type Database, isUnavailable, openDatabase } from '../../database.ts';
import { Connection } from '../connection.ts';
import { type Host, Hosts, readAddresses } from './hosts.ts';

const urlsOf = (text: string) => readAddresses(text).urls;

test('a URL names one host or several, as in libpq', () => {
  const one = 'postgres://me:p%40w@db.example.com/parley?sslmode=require';
  assert.deepEqual(urlsOf(one), [one]);
  assert.deepEqual(urlsOf('postgresql://me:pw@a:5433,b,[::1]:5435/parley?sslmode=require'), [
    'postgresql://me:pw@a:5433/parley?sslmode=require',
    'postgresql://me:pw@b/parley?sslmode=require',
    'postgresql://me:pw@[::1]:5435/parley?sslmode=require',
  ]);
  assert.deepEqual(urlsOf('postgres:///parley?host=/run/a,b&port=5433'), [
    'postgres:///parley?host=%2Frun%2Fa&port=5433',
    'postgres:///parley?host=b&port=5433',
  ]);
  assert.deepEqual(urlsOf('postgres:///parley?host=a,b&port=1,2&target_session_attrs=any'), [
    'postgres:///parley?host=a&port=1',
    'postgres:///parley?host=b&port=2',
  ]);
});

test('with several hosts, writable ones are required and connections are spread, unless the URL says otherwise', () => {
  const read = (text: string) => {
    const { mustTakeWrites, isSpread } = readAddresses(text);
    return [mustTakeWrites, isSpread];
  };
  assert.deepEqual(read('postgres://a/x'), [false, true]);
  assert.deepEqual(read('postgres://a/x?target_session_attrs=primary'), [true, true]);
  assert.deepEqual(read('postgres://a,b/x'), [true, true]);
  assert.deepEqual(read('postgres://a,b/x?target_session_attrs=any&load_balance_hosts=disable'), [
    false,
    false,
  ]);
});

test('a fault of the URL is named, without its secrets', () => {
  const faults = {
    'mysql://me:secret@db/x': 'must begin with postgres://',
    'postgres://me:secret@a:port/x':
      'must be such as postgres://user:password@host:5432/database, several hosts separated by commas',
    'postgres://me:secret@a,b:5433:1/x':
      'must be such as postgres://user:password@host:5432/database, several hosts separated by commas',
    'postgres://a,b/x?port=1,2,3': 'names 2 hosts and 3 ports: one port for all, or one for each',
    'postgres://a,b/x?host=c,d': 'names several hosts, and others in ?host=',
    'postgres://a,b/x?target_session_attrs=standby':
      'has target_session_attrs=standby, but a server writes: any, primary or read-write',
    'postgres://a,b/x?load_balance_hosts=on': 'has load_balance_hosts=on, which must be disable or random',
  };
  for (const [url, message] of Object.entries(faults)) assert.throws(() => databaseUrl(url), { message });
});

/** Connections to the host, in number. */
function connect(host: Host, count: number): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = new Socket();
    host.hold(socket);
    return socket;
  });
}

test('the next connection goes to the host with the fewest, and to none that is away', () => {
  const hosts = new Hosts('postgres://a,b,c/x', 5);
  const [a, b, c] = hosts.all;
  assert.ok(a && b && c);
  connect(a, 2);
  connect(c, 1);
  assert.deepEqual(hosts.inOrder(), [b, c, a]);
  assert.equal(hosts.next(), b);
  b.failure = new Error('away');
  assert.deepEqual(hosts.inOrder(), [c, a, b]);
  assert.equal(hosts.next(), c);
  assert.throws(() => hosts.next(b), /^Error: the connection to the database was lost/);
  for (const host of [a, c]) host.failure = new Error('away');
  assert.throws(() => hosts.next(), /^Error: no host can be used: .*c: away/);
  const inOrder = new Hosts('postgres://a,b/x?load_balance_hosts=disable');
  connect(inOrder.all[0] as Host, 5);
  assert.deepEqual(inOrder.inOrder(), inOrder.all);
});

test('after the first sessions, a host gets fewer than two more a second', () => {
  const hosts = new Hosts('postgres://a/x', 3);
  const opened = (ticks: number) => {
    let count = 0;
    for (let i = 0; i < ticks; i++) {
      for (const host of hosts.all) host.tick();
      while (hosts.next()) count++;
    }
    return count;
  };
  assert.equal(opened(1), 3);
  const [perMinute, allowed] = [opened(240), 2 * 60];
  assert.ok(perMinute > allowed / 2 && perMinute < allowed, `${perMinute}`);
});

test('connections return one by one to a host that is back, or to the first one', () => {
  const spread = new Hosts('postgres://a,b/x', 9);
  const [a, b] = spread.all as [Host, Host];
  const sockets = connect(a, 3);
  b.failure = new Error('away');
  assert.equal(spread.findCrowded(), undefined);
  b.failure = undefined;
  assert.equal(spread.findCrowded(), a);
  sockets[0]?.emit('close');
  connect(b, 1);
  assert.equal(spread.findCrowded(), undefined, 'two and one are as even as can be');
  const preferring = new Hosts('postgres://a,b/x?load_balance_hosts=disable', 9);
  const second = preferring.all[1] as Host;
  connect(second, 1);
  assert.equal(preferring.findCrowded(), second);
});

interface Scene {
  url: string;
  db: Database;
  networks: [BreakableNetwork, BreakableNetwork];
  /** The number of connections to each of the two, including the health probe's. */
  spread(): number[];
}

/** One database at two addresses. */
async function twoAddresses(t: TestContext): Promise<Scene> {
  const database = await createTestDatabase();
  t.after(() => database[Symbol.asyncDispose]());
  const networks: [BreakableNetwork, BreakableNetwork] = [
    await createBreakableNetwork(database.url),
    await createBreakableNetwork(database.url),
  ];
  const [first, second] = networks.map(({ url }) => new URL(url)) as [URL, URL];
  const url = first.href.replace(first.host, `${first.host},${second.host}`);
  const db = openDatabase({ url, poolSize: 4 });
  t.after(async () => {
    await db.end({ timeout: 1 });
    for (const network of networks) await network[Symbol.asyncDispose]();
  });
  return { url, db, networks, spread: () => networks.map(({ connections }) => connections) };
}

const atOnce = (db: Database, count: number) =>
  Promise.all(Array.from({ length: count }, () => db`select pg_sleep(0.05)`));

test('connections are spread over both hosts; when one is down all go to the other, and later spread again', async (t) => {
  const { db, networks, spread } = await twoAddresses(t);
  await atOnce(db, 4);
  assert.deepEqual(
    spread().map((count) => count >= 2),
    [true, true],
  );
  await networks[0].cut();
  // Previously open connections may still be closing.
  await Promise.allSettled(Array.from({ length: 4 }, () => db`select 1`));
  await atOnce(db, 4);
  assert.deepEqual(spread()[0], 0);
  await networks[0].mend();
  while ((spread()[0] ?? 0) < 2) await atOnce(db, 4);
});

test('a hanging host is abandoned within seconds, and new statements meanwhile go to the other', async (t) => {
  const { db, networks } = await twoAddresses(t);
  await atOnce(db, 4);
  networks[0].freeze();
  const under = await Promise.allSettled(Array.from({ length: 4 }, () => db`select 1`));
  const failed = under.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  assert.equal(failed.length, 2);
  assert.ok(failed.every(isUnavailable));
  assert.equal(db.isAnswering, true);
  await atOnce(db, 8);
});

test('shared statements go to the host that has the rows; while that one hangs they are refused at once', async (t) => {
  const { db, networks, spread } = await twoAddresses(t);
  db.setCluster(true);
  const addressOf = ({ url }: BreakableNetwork) => new URL(url).host;
  const ask = (address: string) => db.shared(address)`select 1`;
  const areConnected = () => spread().map((count) => count > 0);
  for (const [i, network] of networks.entries()) {
    await Promise.all([1, 2, 3].map(() => ask(addressOf(network))));
    assert.deepEqual(areConnected(), [true, i === 1]);
  }
  assert.equal(db.isPartAway, false);
  networks[0].freeze();
  await assert.rejects(Promise.resolve(ask(addressOf(networks[0]))), isUnavailable);
  assert.equal(db.isPartAway, true, 'what is under way elsewhere may wait for it');
  await assert.rejects(Promise.resolve(db`select pg_sleep(30)`), isUnavailable, 'wherever it is');
  const connections = spread();
  await assert.rejects(Promise.resolve(ask(addressOf(networks[0]))));
  assert.deepEqual(spread(), connections, 'nobody waits for another connection');
  await ask(addressOf(networks[1]));
  await ask('elsewhere:5432');
});

test('read-only hosts are skipped, and the error says so', async (t) => {
  const { db, url } = await twoAddresses(t);
  const [named] = await db<{ name: string }[]>`select current_database() as name`;
  const allowWrites = (isAllowed: boolean) =>
    db.begin(async (tx) => {
      await tx`set transaction read write`;
      await tx.unsafe(
        `alter database ${named?.name} set default_transaction_read_only = ${isAllowed ? 'off' : 'on'}`,
      );
    });
  const open = (parameters: string) => {
    const opened = openDatabase({ url: `${url}${parameters}`, poolSize: 1, ...PATIENT });
    t.after(() => opened.end({ timeout: 1 }));
    return opened;
  };
  await allowWrites(false);
  try {
    await assert.rejects(Promise.resolve(open('')`select 1`), (error: Error) => {
      assert.ok(isUnavailable(error));
      assert.match(error.message, /^no host can be used: (.*: takes no writes(; |$)){2}/);
      return true;
    });
    await open('?target_session_attrs=any')`select 1`;
  } finally {
    await allowWrites(true);
  }
  await open('')`select 1`;
});

test('a host that accepts connections and answers no query is given up in time, with its connection', async (t) => {
  const open = new Set<Socket>();
  // As a proxy before a server that does not answer: signed in, ready for queries.
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.once('data', () => socket.write(Buffer.from('520000000800000000' + '5a0000000549', 'hex')));
  });
  const port = await listening(server);
  t.after(() => server.close());
  const hosts = new Hosts(`postgres://u:p@127.0.0.1:${port}/x?target_session_attrs=primary`);
  const impatient = new Connection(hosts, { connectionTimeoutMillis: 100 });
  await assert.rejects(impatient.open());
  const closed = new Connection(hosts, {});
  const asked = assert.rejects(closed.ask());
  await eventually(() => open.size === 1);
  await closed.close(0);
  await asked;
  await eventually(() => open.size === 0);
});
