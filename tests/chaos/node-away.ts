import { setTimeout as pause } from 'node:timers/promises';
import { describeSent, findNode, type NodeProcess, openClusterScene, type Sent } from './cluster-scene.ts';

const PHASE_MS = 10_000;
/** For this long after the node fails, requests in progress and those that wait for them may fail on any node. */
const MOMENT_MS = 2_000;
/** The limit for every response. */
const LONGEST_MS = 2_000;

/** What happens to a node, and how it comes back. */
const FAULTS = {
  killed: { begin: (node: NodeProcess) => node.kill(), end: (node: NodeProcess) => node.start() },
  hanging: { begin: (node: NodeProcess) => node.hang(), end: (node: NodeProcess) => node.goOn() },
};

/** Requests for data on an unavailable worker get a 503 in time, and nothing else fails. */
export function checkWorker({ all, elsewhere, there }: Seen): void {
  if (elsewhere.some(({ status }) => status !== 201))
    throw new Error('sends failed that do not need the node');
  if (there.some(({ status }) => status !== 503))
    throw new Error('a send to the node got something other than a 503');
  const late = all.filter(({ tookMs }) => tookMs > LONGEST_MS);
  if (late.length > 0) throw new Error(`${late.length} answers took longer than 2 s`);
}

interface Seen {
  all: Sent[];
  /** Sends for conversations on the node while it was down, except for the first moment; `elsewhere` has the others. */
  there: Sent[];
  elsewhere: Sent[];
}

/** A node of a Citus cluster goes down under load, and returns. */
export async function away(
  fault: keyof typeof FAULTS,
  what: string,
  index: number,
  enterBy: (nodes: string[]) => string[],
  judge: (seen: Seen) => void,
): Promise<void> {
  await using scene = await openClusterScene(undefined, enterBy);
  const address = scene.nodes[index] as string;
  const node = await findNode(address);
  const onNode = await scene.pairsOn(address);
  let [wentMs, backMs, sessions] = [0, 0, 0];
  const all = await scene.underLoad(async () => {
    const begun = performance.now();
    await pause(PHASE_MS);
    await FAULTS[fault].begin(node);
    wentMs = performance.now() - begun;
    try {
      await pause(PHASE_MS);
    } finally {
      backMs = performance.now() - begun;
      sessions = index === 0 ? 0 : await scene.countSessions();
      await FAULTS[fault].end(node);
    }
    await pause(PHASE_MS);
  });
  const meanwhile = all.filter(({ atMs, tookMs }) => atMs > wentMs + MOMENT_MS && atMs + tookMs < backMs);
  const there = meanwhile.filter(({ pair }) => onNode.has(pair));
  const elsewhere = meanwhile.filter(({ pair }) => !onNode.has(pair));
  console.log(`${fault}: ${what}; ${onNode.size} of 16 conversations are stored on it`);
  console.log(`  before: ${describeSent(all.filter(({ atMs }) => atMs < wentMs - 100))}`);
  console.log(
    `  as it failed: ${describeSent(all.filter(({ atMs }) => Math.abs(atMs - wentMs - MOMENT_MS / 2) < MOMENT_MS / 2))}`,
  );
  console.log(
    `  while it was down, to it: ${describeSent(there)}; to other nodes: ${describeSent(elsewhere)}`,
  );
  console.log(`  sessions of the coordinator before the node came back: ${sessions}`);
  console.log(`  the last 5 s: ${describeSent(all.filter(({ atMs }) => atMs > backMs + PHASE_MS / 2))}`);
  const lost = await scene.countLost(all);
  if (lost > 0) throw new Error(`${lost} acknowledged messages are lost`);
  if (all.slice(-50).some(({ status }) => status !== 201))
    throw new Error('sends still fail after the node came back');
  judge({ all, there, elsewhere });
}
