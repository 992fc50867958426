import process from 'node:process';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { migrate } from '#platform/migrate.ts';
import { driveHotFlows } from '#testing/hot-flows.ts';
import { explain, nodesOf, recordStatements, type StatementRecorder } from '#testing/statement-recorder.ts';
import { createWorld } from '#testing/world.ts';
import { distribute } from '../server/distribution/distribute.ts';

/**
 * `npm run check:citus`: distributes an empty database of the cluster at `CITUS_URL`, drives every frequent flow over
 * HTTP, and requires that each statement's plan is one task.
 */
const url = process.env['CITUS_URL'];
if (!url) {
  console.error('CITUS_URL must name an empty database with Citus, on a coordinator that knows its workers');
  process.exit(2);
}
const db = openDatabase({ url, poolSize: 1 });
await migrate({ db, clock: systemClock });
const { tables, workers } = await distribute(db);
await db.end({ timeout: 5 });
console.log(`${tables.length} tables over ${workers} workers`);

let recorder: StatementRecorder | undefined;
await using world = await createWorld(
  {},
  {
    database: { url, async [Symbol.asyncDispose]() {} },
    watch(database) {
      recorder = recordStatements(database);
      return recorder.db;
    },
  },
);
if (!recorder) throw new Error('nothing is recorded');
await driveHotFlows(world, recorder.enter);
let wide = 0;
for (const statement of recorder.statements()) {
  const plan = nodesOf(await explain(world.db, statement)) as { 'Distributed Query'?: { Job: Job } }[];
  const tasks = plan.flatMap((node) => node['Distributed Query']?.Job['Task Count'] ?? []);
  if (tasks.every((count) => count === 1)) continue;
  wide++;
  console.log(`${tasks.join(', ')} tasks: ${statement.flow}: ${statement.text}`);
}
console.log(`${recorder.statements().length} hot statements, ${wide} of more than one task`);
process.exitCode = wide === 0 ? 0 : 1;

interface Job {
  'Task Count': number;
}
