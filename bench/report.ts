import { type LoadRequest, type LoadResult, median, spread } from './load.ts';
import type { SeededBot } from './seed.ts';

export const TABLE_HEAD = [
  '| | requests/s, median (range) | p50 ms | p99 ms, median (range) | server CPU µs per request | failures |',
  '| --- | --- | --- | --- | --- | --- |',
];

export function resultRow(name: string, results: LoadResult[]): string {
  const rates = spread(results.map((result) => result.requestsPerSecond));
  const p50 = median(results.map((result) => result.p50Ms)).toFixed(1);
  const p99 = spread(results.map((result) => result.p99Ms));
  const cpu = results.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? []);
  const cost = cpu.length > 0 ? spread(cpu) : '';
  return `| ${name} | ${rates} | ${p50} | ${p99} | ${cost} | ${results.reduce((sum, { failures }) => sum + failures, 0)} |`;
}

/** The ratio of one rate to another. */
export function ratio(results: LoadResult[], yardstick: LoadResult[]): string {
  const rate = (of: LoadResult[]) => median(of.map(({ requestsPerSecond }) => requestsPerSecond));
  return (rate(results) / rate(yardstick)).toFixed(2);
}

/** A private send, the yardstick of scenarios that are not compared with the echo. */
export function privateSend({ key, personId }: SeededBot): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/messages',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      to: personId,
      type: 'text',
      content: 'Your parcel leaves the depot at 9:40 today.',
    }),
  };
}
