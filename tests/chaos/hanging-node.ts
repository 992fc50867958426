import { away, checkWorker } from './node-away.ts';

/** A worker of a Citus cluster is suspended under load, like a machine that swaps, and resumes. */
await away('hanging', 'a worker (connections to all nodes)', 1, (nodes) => nodes, checkWorker);
