import { createHistogram } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { ServerProcess } from '../tests/processes.ts';
import { type Answer, LoadConnection } from './connection.ts';

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
  /** Answers that were not 2xx, and connections that broke. */
  failures: number;
  /** What the server's process spent on each request, where it was measured: steadier than the rate. */
  cpuMicroseconds?: number;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
}

/** Keeps the given connections busy for a while; each starts at another request, so that they do not march in step. */
export async function load(url: string, requests: LoadRequest[], options: LoadOptions): Promise<LoadResult> {
  const prepared = requests.map((request) => toBytes(url, request));
  return drive(url, options, (connection) => {
    let next = Math.floor((connection * prepared.length) / options.connections) % prepared.length;
    return {
      request() {
        const bytes = prepared[next] as Buffer;
        next = (next + 1) % prepared.length;
        return bytes;
      },
    };
  });
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

/** Requests of which each depends on the answer before it. */
export interface Chain {
  request(): LoadRequest;
  onAnswer(body: string): void;
}

/** The same with one chain per connection. */
export async function loadChains(url: string, chains: Chain[], options: LoadOptions): Promise<LoadResult> {
  return drive(url, options, (connection) => {
    const { request, onAnswer } = chains[connection] as Chain;
    return {
      request: () => toBytes(url, request()),
      onAnswer: ({ status, body }) => {
        if (status === 200) onAnswer(body);
      },
    };
  });
}

function toBytes(url: string, { method, path, headers, body = '' }: LoadRequest): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** What one connection asks, for as long as it is asked for more. */
interface Script {
  request(): Buffer;
  onAnswer?(answer: Answer): void;
}

async function drive(
  url: string,
  { connections, seconds }: LoadOptions,
  scriptOf: (connection: number) => Script,
): Promise<LoadResult> {
  const latencies = createHistogram();
  let [answers, failures] = [0, 0];
  const begunAt = performance.now();
  const opened = Array.from({ length: connections }, (_, number) => {
    const { request, onAnswer } = scriptOf(number);
    const connection = new LoadConnection(url, { onBroken: () => failures++ });
    const askAgain = () => {
      const askedAt = performance.now();
      connection.ask(request(), (answer) => {
        answers++;
        if (answer.status >= 300) failures++;
        latencies.record(Math.max(1, Math.round((performance.now() - askedAt) * 1000)));
        onAnswer?.(answer);
        askAgain();
      });
    };
    askAgain();
    return connection;
  });
  await setTimeout(seconds * 1000);
  const tookSeconds = (performance.now() - begunAt) / 1000;
  for (const connection of opened) connection.end();
  return {
    requestsPerSecond: answers / tookSeconds,
    p50Ms: latencies.percentile(50) / 1000,
    p99Ms: latencies.percentile(99) / 1000,
    failures,
  };
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
