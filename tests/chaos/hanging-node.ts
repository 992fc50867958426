import { away, judgeWorker } from './node-away.ts';

/** A worker of a Citus cluster stands still under load, as a machine does that swaps, and goes on. */
await away('hanging', 'a worker, entered by all nodes', 1, (nodes) => nodes, judgeWorker);
