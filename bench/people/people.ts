import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { Keyring, parseKeys } from '#platform/crypto/keyring.ts';
import { systemRandom } from '#platform/random.ts';
import { fileOf } from '#testing/files.ts';
import { type ServerProcess, startParley } from '../../tests/processes.ts';
import { createScratch, type Scratch } from '../../tests/scratch.ts';
import { cpuMicroseconds, postgresPids } from '../cpu.ts';
import { percentile } from '../load.ts';
import { seedSessions } from '../seed-sessions.ts';
import { type CompanySize, foundCompany } from './company.ts';
import { Desk, type Office } from './desk.ts';
import { Figures } from './figures.ts';
import { importCompany } from './imported-company.ts';

const SIZE: CompanySize = {
  people: 50_000,
  groups: 10_000,
  messages: Number(process.env['BENCH_MESSAGES'] ?? 5_000_000),
  largestGroup: 5_000,
};
/** The company comes from Mattermost, by `parley import`. */
const IS_IMPORTED = process.env['BENCH_IMPORTED'] === '1';
/** People with an open page, one step after the other. */
const STEPS = (process.env['BENCH_PEOPLE'] ?? '1500,3000,4500,6000').split(',').map(Number);
const SECONDS = { warmUp: 30, measured: 60, storm: 20 };
const ARRIVALS_PER_SECOND = 100;
const BARS = { readMs: 200, screenMs: 500, people: 3_000, backSeconds: 10, stormMs: 2_000 };
const SLOWEST_ROUTES = 12;

interface Step {
  people: number;
  figures: Figures;
  serverCores: number;
  databaseCores: number;
  megabytes: number;
}

/** How many people at work one process carries, with the mix of actions that Mattermost measures its own servers by. */
export async function benchPeople(): Promise<string[]> {
  await using scratch = await createScratch();
  const keyring = new Keyring(parseKeys(scratch.environment['MASTER_KEYS'] ?? ''), systemRandom);
  const everybody = IS_IMPORTED
    ? await importCompany(scratch, SIZE)
    : await foundCompany(scratch.db, keyring, SIZE);
  const present = everybody.slice(0, STEPS.at(-1));
  const cookies = await seedSessions(
    scratch.db,
    present.map(({ accountId }) => accountId),
  );
  await using parley = await startParley(scratch.environment);
  await using open = new AsyncDisposableStack();
  const pool = new Pool(parley.url, { connections: 256 });
  open.defer(() => pool.destroy());
  const desks: Desk[] = [];
  open.defer(() => {
    for (const desk of desks) desk.leave();
  });
  const office: Office = {
    url: parley.url,
    pool,
    figures: null,
    sentAt: [],
    everybody,
    picture: fileOf('png'),
  };
  const steps: Step[] = [];
  for (const people of STEPS) {
    const arriving: Promise<void>[] = [];
    for (const [i, person] of present.slice(desks.length, people).entries()) {
      const desk = new Desk(office, person, cookies[desks.length] as string);
      desks.push(desk);
      arriving.push(desk.arrive());
      if (i % (ARRIVALS_PER_SECOND / 10) === 0) await pause(100);
    }
    await Promise.all(arriving);
    await pause(SECONDS.warmUp * 1000);
    const step = await measure(scratch, parley, office, people);
    steps.push(step);
    if (!isCarried(step)) break;
  }
  return report(steps, await reconnectAll(office, desks));
}

async function measure(
  scratch: Scratch,
  parley: ServerProcess,
  office: Office,
  people: number,
): Promise<Step> {
  const cpu = async () => [
    await parley.cpuMicroseconds(),
    await cpuMicroseconds(await postgresPids(scratch.directory)),
  ];
  const figures = new Figures();
  office.figures = figures;
  const before = await cpu();
  await pause(SECONDS.measured * 1000);
  office.figures = null;
  const [serverCores, databaseCores] = (await cpu()).map(
    (after, i) => (after - (before[i] as number)) / 1e6 / SECONDS.measured,
  ) as [number, number];
  return { people, figures, serverCores, databaseCores, megabytes: await parley.residentMegabytes() };
}

function isCarried({ figures: { reads, toScreens } }: Step): boolean {
  return percentile(reads, 0.99) < BARS.readMs && percentile(toScreens, 0.99) < BARS.screenMs;
}

/** All streams are cut at once, as when a proxy restarts, and the pages come back by themselves, while people go on. */
async function reconnectAll(
  office: Office,
  desks: readonly Desk[],
): Promise<{ backSeconds: number; figures: Figures }> {
  const figures = new Figures();
  office.figures = figures;
  const startedAt = performance.now();
  await Promise.all(desks.map((desk) => desk.cut()));
  const backSeconds = (performance.now() - startedAt) / 1000;
  await pause(SECONDS.storm * 1000);
  office.figures = null;
  return { backSeconds, figures };
}

function report(steps: readonly Step[], storm: { backSeconds: number; figures: Figures }): string[] {
  const { figures: last, people } = steps.at(-1) as Step;
  const carried = steps.filter(isCarried).at(-1)?.people ?? 0;
  const slowest = Math.max(...storm.figures.reads, ...storm.figures.writes);
  const routes = [...last.byRoute]
    .toSorted(([, one], [, other]) => other.total - one.total)
    .slice(0, SLOWEST_ROUTES)
    .map(
      ([route, { count, total, slowest }]) =>
        `| ${route} | ${count} | ${(total / count).toFixed(1)} | ${slowest.toFixed(0)} |`,
    );
  return [
    '| active people | requests/s | messages on screens/s | reads, p50 · p99 ms | writes | send to another screen | server, cores | PostgreSQL, cores | MB | failures |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...steps.map(({ people, figures, serverCores, databaseCores, megabytes }) => {
      const { reads, writes, toScreens } = figures;
      const cells = [
        people,
        ((reads.length + writes.length) / SECONDS.measured).toFixed(0),
        (toScreens.length / SECONDS.measured).toFixed(0),
        ...[reads, writes, toScreens].map(
          (of) => `${percentile(of, 0.5).toFixed(1)} · ${percentile(of, 0.99).toFixed(0)}`,
        ),
        serverCores.toFixed(2),
        databaseCores.toFixed(2),
        megabytes.toFixed(0),
        figures.failures,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    `Carried: ${carried.toLocaleString('en')} (bar ${BARS.people.toLocaleString('en')}; reads p99 under ${BARS.readMs} ms, send to screen under ${BARS.screenMs} ms). ${SIZE.people.toLocaleString('en')} people, ${SIZE.groups.toLocaleString('en')} groups, ${SIZE.messages.toLocaleString('en')} messages${IS_IMPORTED ? ', imported' : ''}; ${SECONDS.measured} s each. The people of the bench use the same cores.`,
    '',
    `All ${people.toLocaleString('en')} streams cut at once: everybody back after ${storm.backSeconds.toFixed(1)} s (bar ${BARS.backSeconds}), slowest request until ${SECONDS.storm} s later ${slowest.toFixed(0)} ms (bar ${BARS.stormMs}), failures: ${storm.figures.failures}.`,
    '',
    `With ${people.toLocaleString('en')} people:`,
    '',
    '| route | requests | mean ms | slowest ms |',
    '| --- | --- | --- | --- |',
    ...routes,
  ];
}
