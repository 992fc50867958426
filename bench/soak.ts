import { systemClock } from '#platform/clock.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { type LoadResult, loadServer } from './load.ts';
import { privateSend } from './report.ts';
import { seedBots } from './seed.ts';

const CONNECTIONS = 64;
const BOTS = 1000;
const MINUTES = 10;
/** During these minutes, caches fill and code is compiled. */
const WARM_UP_MINUTES = 2;

interface Minute extends LoadResult {
  residentMegabytes: number;
}

/** The memory of one process under ten minutes of full load, minute by minute, and its growth per minute. */
export async function benchSoak(): Promise<string[]> {
  await using scratch = await createScratch();
  await using parley = await startParley(scratch.environment);
  const requests = (await seedBots(scratch.db, createIds(systemClock, systemRandom), BOTS)).map(privateSend);
  const minutes: Minute[] = [];
  for (let minute = 0; minute < MINUTES; minute++) {
    const sent = await loadServer(parley, requests, { connections: CONNECTIONS, seconds: 60 });
    minutes.push({ ...sent, residentMegabytes: await parley.residentMegabytes() });
  }
  const settled = minutes.slice(WARM_UP_MINUTES).map(({ residentMegabytes }) => residentMegabytes);
  return [
    '| minute | sends/s | p99 ms | server CPU µs per send | failures | resident MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...minutes.map(toRow),
    '',
    `Since minute ${WARM_UP_MINUTES + 1} each minute adds ${slope(settled).toFixed(1)} MB (least squares).`,
  ];
}

function toRow(minute: Minute, i: number): string {
  const { requestsPerSecond, p99Ms, cpuMicroseconds, failures, residentMegabytes } = minute;
  const figures = [requestsPerSecond, p99Ms, cpuMicroseconds, failures, residentMegabytes];
  return `| ${[i + 1, ...figures.map((figure) => figure?.toFixed(0))].join(' | ')} |`;
}

/** The growth from one value to the next, by linear regression. */
function slope(values: number[]): number {
  const mean = (of: number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const [middle, height] = [mean(values.map((_, i) => i)), mean(values)];
  const rise = values.reduce((sum, value, i) => sum + (i - middle) * (value - height), 0);
  return rise / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}
