import autocannon from 'autocannon';
import type { ServerProcess } from '../tests/processes.ts';

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
  return drive(url, options, (client, connection) => {
    const from = Math.floor((connection * requests.length) / options.connections) % requests.length;
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
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
  return drive(url, options, (client, connection) => {
    const { request, onAnswer } = chains[connection] as Chain;
    client.setRequests([
      {
        setupRequest: (empty) => ({ ...empty, ...request() }),
        onResponse: (status, body) => {
          if (status === 200) onAnswer(body);
        },
      },
    ]);
  });
}

/** Tells each connection, by its number, what to ask, and asks for as long as it is told. */
async function drive(
  url: string,
  { connections, seconds }: LoadOptions,
  setUp: (client: autocannon.Client, connection: number) => void,
): Promise<LoadResult> {
  let started = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient: (client) => setUp(client, started++),
  });
  return toLoadResult(result);
}

function toLoadResult({ requests, latency, non2xx, errors }: autocannon.Result): LoadResult {
  return {
    requestsPerSecond: requests.average,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    failures: non2xx + errors,
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
