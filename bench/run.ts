import { appendFile } from 'node:fs/promises';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { benchBodies } from './bodies.ts';
import { benchCapacity } from './capacity.ts';
import { benchChatPage } from './chat-page.ts';
import { benchCluster } from './cluster.ts';
import { benchDrafts } from './drafts.ts';
import { benchEjabberd } from './ejabberd.ts';
import { benchEvents } from './events.ts';
import { benchGroups } from './groups.ts';
import { benchIdleStreams } from './idle-streams.ts';
import { benchMessages } from './messages.ts';
import { benchOAuth } from './oauth.ts';
import { benchPeople } from './people/people.ts';
import { benchPolling } from './polling.ts';
import { benchPolls } from './polls.ts';
import { benchProcesses } from './processes.ts';
import { benchRetention } from './retention.ts';
import { benchSearch } from './search.ts';
import { benchSnapshot } from './snapshot.ts';
import { benchSoak } from './soak.ts';
import { benchStorage } from './storage.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchYardsticks } from './yardsticks.ts';

const SCENARIOS: Record<string, () => Promise<string[]>> = {
  bodies: benchBodies,
  messages: benchMessages,
  groups: benchGroups,
  oauth: benchOAuth,
  polls: benchPolls,
  polling: benchPolling,
  webhooks: () => benchWebhooks(),
  events: () => benchEvents(),
  processes: benchProcesses,
  streams: benchIdleStreams,
  drafts: benchDrafts,
  page: benchChatPage,
  people: benchPeople,
  retention: benchRetention,
  search: benchSearch,
  snapshot: () => benchSnapshot(),
  soak: benchSoak,
  storage: benchStorage,
  capacity: benchCapacity,
  cluster: benchCluster,
  yardsticks: benchYardsticks,
  ejabberd: benchEjabberd,
};

const { positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of `retention`: fills its folder, and measures nothing. */
    fill: { type: 'boolean' },
  },
});
const names = asked.length > 0 ? asked : Object.keys(SCENARIOS);
const unknown = names.filter((name) => !SCENARIOS[name]);
if (unknown.length > 0) {
  console.error(`no such scenario: ${unknown.join(', ')}; there are ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}
for (const name of names) {
  const lines = (await SCENARIOS[name]?.()) ?? [];
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const entry = [
    `## ${name}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    machine,
    '',
    ...lines,
    '',
  ].join('\n');
  console.log(entry);
  await appendFile(new URL('./RESULTS.md', import.meta.url), `${entry}\n`);
}
