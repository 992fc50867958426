import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerProcess } from '../tests/processes.ts';
import { print } from './program.ts';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

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
  /** Answers of 400 and above, and connections that broke. */
  failures: number;
  /** CPU time of the server's process per request, where it was measured: steadier than the rate. */
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

/** Keeps the given connections busy for a while with these requests, in turns. */
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

/** The same, and what a request cost the server. */
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

/** Requests of which each ends with a value that the answer to an earlier one gave. */
export interface Chains {
  request: LoadRequest;
  /** The ends of the first ones: one for each connection, and {@link SPARE_CHAINS}. */
  values: string[];
  /** Finds the next value in an answer; a pattern of Lua. */
  pattern: string;
}

/** wrk makes a request to see what the script makes, and does not send it. */
export const SPARE_CHAINS = 1;

/** The same with chains. */
export async function loadChains(
  url: string,
  { request, values, pattern }: Chains,
  options: LoadOptions,
): Promise<LoadResult> {
  return drive(url, [toHead(url, request), request.body ?? '', ...values], options, [pattern]);
}

/** All but the length of the body. */
function toHead(url: string, { method, path, headers }: LoadRequest): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** By wrk, which asks for little: on a machine that serves and asks, what the asking costs is missing from the serving. */
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

/** Smallest, median and largest, as the results show them. */
export function spread(values: number[], digits = 0): string {
  const shown = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  );
  return `${shown[1]} (${shown[0]}–${shown[2]})`;
}
