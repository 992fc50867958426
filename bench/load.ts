import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from '../tests/processes.ts';
import { print } from './program.ts';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

/** In a request: another number each time. */
export const UNIQUE = 'UNIQUE';

export interface LoadRequest {
  method: 'POST' | 'GET';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses of 400 and above, and broken connections. */
  failures: number;
  /** CPU time of the server's process per request, if measured; it varies less than the rate. */
  cpuMicroseconds?: number;
}

/** The output of the script. */
interface Measured {
  requests: number;
  microseconds: number;
  p50: number;
  p99: number;
  failures: number;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
}

/** Keeps the given connections busy for a while, alternating between these requests. */
export async function load(url: string, requests: LoadRequest[], options: LoadOptions): Promise<LoadResult> {
  return drive(
    url,
    requests.map((request) => {
      const { body = '' } = request;
      return `${toHead(url, request)}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    }),
    options,
  );
}

/** The same, and measures the server's CPU time per request. */
export async function loadServer(
  server: Pick<ServerProcess, 'url' | 'cpuMicroseconds'>,
  requests: LoadRequest[],
  options: LoadOptions,
): Promise<LoadResult> {
  const before = await server.cpuMicroseconds();
  const result = await load(server.url, requests, options);
  const spent = (await server.cpuMicroseconds()) - before;
  return { ...result, cpuMicroseconds: spent / (result.requestsPerSecond * options.seconds) };
}

/** Requests that each end with a value from the response to an earlier one. */
export interface Chains {
  request: LoadRequest;
  /** The values for the first ones: one for each connection, and {@link SPARE_CHAINS}. */
  values: string[];
  /** Finds the next value in a response; a Lua pattern. */
  pattern: string;
}

/** wrk makes one request only to inspect the script, and does not send it. */
export const SPARE_CHAINS = 1;

/** The same with chains. */
export async function loadChains(
  url: string,
  { request, values, pattern }: Chains,
  options: LoadOptions,
): Promise<LoadResult> {
  return drive(url, [toHead(url, request), request.body ?? '', ...values], options, [pattern]);
}

/** The head of a request, without the length of the body. */
function toHead(url: string, { method, path, headers }: LoadRequest): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Uses wrk, which needs little CPU time: on a shared machine, the client and the server compete for it. */
async function drive(
  url: string,
  pieces: string[],
  { connections, seconds }: LoadOptions,
  scriptArguments: string[] = [],
): Promise<LoadResult> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-wrk-'));
  try {
    const file = join(directory, 'requests');
    await writeFile(file, pieces.map((piece) => `${Buffer.byteLength(piece)}\n${piece}`).join(''));
    const options = [
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      `--script=${SCRIPT}`,
    ];
    const printed = await print('wrk', [...options, url, '--', file, ...scriptArguments], 'wrk');
    const measured = JSON.parse(printed.trim().split('\n').at(-1) as string) as Measured;
    return {
      requestsPerSecond: measured.requests / (measured.microseconds / 1e6),
      p50Ms: measured.p50 / 1000,
      p99Ms: measured.p99 / 1000,
      failures: measured.failures,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** The value below which this share of the values lies; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}

/** Minimum, median and maximum, as shown in the results. */
export function spread(values: number[], digits = 0): string {
  const shown = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  );
  return `${shown[1]} (${shown[0]}–${shown[2]})`;
}
