import { setTimeout as pause } from 'node:timers/promises';
import { describeSent, findNode, openClusterScene, type Sent } from './cluster-scene.ts';

/** A node of a Citus cluster is killed under load, and starts again: a worker first, then the coordinator. */
const PHASE_MS = 10_000;
/** Requests under way as the node dies, and those that wait for others that are, may fail wherever they go. */
const MOMENT_MS = 2_000;

await killed(
  'a worker, entered by all nodes',
  1,
  (nodes) => nodes,
  ({ elsewhere, there }) => {
    if (elsewhere.some(({ status }) => status !== 201))
      throw new Error('sends failed that need nothing of the dead node');
    if (there.some(({ status }) => status !== 503)) throw new Error('sends to the dead node are not all 503');
  },
);
await killed(
  'the coordinator, entered by the workers',
  0,
  (nodes) => nodes.slice(1),
  ({ all }) => {
    const failed = all.filter(({ status }) => status !== 201);
    if (failed.length > 0) throw new Error(`${failed.length} sends failed`);
  },
);

interface Seen {
  all: Sent[];
  /** Those that began while the node was dead, a moment after it died. */
  there: Sent[];
  elsewhere: Sent[];
}

async function killed(
  what: string,
  index: number,
  enterBy: (nodes: string[]) => string[],
  judge: (seen: Seen) => void,
): Promise<void> {
  await using scene = await openClusterScene(undefined, enterBy);
  const address = scene.nodes[index] as string;
  const node = await findNode(address);
  const onNode = await scene.pairsOn(address);
  let [diedMs, backMs] = [0, 0];
  const all = await scene.underLoad(async () => {
    const begun = performance.now();
    await pause(PHASE_MS);
    node.kill();
    diedMs = performance.now() - begun;
    try {
      await pause(PHASE_MS);
    } finally {
      backMs = performance.now() - begun;
      await node.start();
    }
    await pause(PHASE_MS);
  });
  const dead = all.filter(({ atMs, tookMs }) => atMs > diedMs + MOMENT_MS && atMs + tookMs < backMs);
  const there = dead.filter(({ pair }) => onNode.has(pair));
  const elsewhere = dead.filter(({ pair }) => !onNode.has(pair));
  console.log(`${what}; ${onNode.size} of 16 conversations lie on it`);
  console.log(`  before: ${describeSent(all.filter(({ atMs }) => atMs < diedMs - 100))}`);
  console.log(
    `  as it died: ${describeSent(all.filter(({ atMs }) => Math.abs(atMs - diedMs - MOMENT_MS / 2) < MOMENT_MS / 2))}`,
  );
  console.log(`  while it was dead, to it: ${describeSent(there)}; to others: ${describeSent(elsewhere)}`);
  console.log(`  the last 5 s: ${describeSent(all.filter(({ atMs }) => atMs > backMs + PHASE_MS / 2))}`);
  const lost = await scene.countLost(all);
  if (lost > 0) throw new Error(`${lost} acknowledged messages are lost`);
  if (all.slice(-50).some(({ status }) => status !== 201)) throw new Error('it has not recovered');
  judge({ all, there, elsewhere });
}
