import { away, checkWorker } from './node-away.ts';

/** A node of a Citus cluster is killed under load, and starts again: a worker first, then the coordinator. */
await away('killed', 'a worker (connections to all nodes)', 1, (nodes) => nodes, checkWorker);
await away(
  'killed',
  'the coordinator (connections to the workers)',
  0,
  (nodes) => nodes.slice(1),
  ({ all }) => {
    const failed = all.filter(({ status }) => status !== 201);
    if (failed.length > 0) throw new Error(`${failed.length} sends failed`);
  },
);
