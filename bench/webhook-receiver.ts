import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { createAuthority } from '#testing/certificates.ts';

/** A receiver that responds 200 at once, in a process of its own, and reports when events arrive. */
const isTls = process.argv[2] === 'tls';
const authority = createAuthority();
let arrivals: number[] = [];
let delays: number[] = [];
let expected = Number.POSITIVE_INFINITY;
let warmAt = Number.POSITIVE_INFINITY;
let connections = 0;
/** The events received, if repeats are counted. */
let heard: Set<unknown> | undefined;

const listener: http.RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const now = performance.timeOrigin + performance.now();
    if (expected === 0) delays.push(now - sentAtOf(chunks));
    response.writeHead(200).end();
    arrivals.push(now);
    if (heard) return countDistinct(heard.add(request.headers['webhook-id']).size);
    if (arrivals.length === warmAt) process.send?.({ isWarm: true });
    if (arrivals.length === expected) process.send?.({ arrivals, connections });
  });
};

function countDistinct(distinct: number): void {
  if (arrivals.length === warmAt) process.send?.({ isWarm: true });
  if (distinct !== expected) return;
  // A moment later, nothing more is in progress.
  setTimeout(() => process.send?.({ repeats: arrivals.length - distinct }), 2_000);
}

function sentAtOf(chunks: Buffer[]): number {
  return JSON.parse(Buffer.concat(chunks).toString()).data.sentAt;
}

const server = isTls
  ? https.createServer(authority.issue({ hosts: ['localhost'] }), listener)
  : http.createServer(listener);
server.keepAliveTimeout = 60_000;
server.on('connection', () => connections++);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `${isTls ? 'https' : 'http'}://localhost:${port}/hook`, ca: authority.pem });
});

/**
 * `count`: reports when `warmUp` and when `count` events have arrived; with `isDistinct`, only distinct ones count, and repeats are reported.
 * `delays`: measures each event's latency from now on; `report` returns them.
 */
process.on('message', (asked: { count?: number; warmUp?: number; isDistinct?: true; report?: true }) => {
  heard = asked.isDistinct && new Set();
  if (asked.report) process.send?.({ delays });
  arrivals = [];
  delays = [];
  expected = asked.count ?? 0;
  warmAt = asked.warmUp ?? Number.POSITIVE_INFINITY;
  connections = 0;
});
