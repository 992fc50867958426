import process from 'node:process';
import { systemClock } from '#platform/clock.ts';
import type { Value } from '#platform/database/values.ts';
import { createSchema, isBaseline, listMigrationFiles, migrate } from '#platform/schema/migrate.ts';
import { citusServers, createCluster } from '#testing/citus.ts';
import { createTestDatabase } from '#testing/database.ts';
import { databaseName, globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { boundedRead, driveHotFlows, HOT_FLOWS } from '#testing/hot-flows.ts';
import { explain, nodesOf, recordStatements, type StatementRecorder } from '#testing/statement-recorder.ts';
import { createWorld } from '#testing/world.ts';
import { distribute } from '../server/distribution/distribute.ts';
import { findDistribution } from '../server/distribution/shards.ts';
import { placeTable } from '../server/distribution/tables.ts';

/**
 * `npm run check:citus`: makes a database of its own on the cluster at `CITUS_URL`, distributes it, drives every frequent
 * flow over HTTP with 16 senders at a time, and requires that each statement's plan is one task, or that the statement is a bounded read that
 * docs/operate/scaling.md names. Lists all that it finds.
 */
const SENDERS = 16;

const url = process.env['CITUS_URL'];
if (!url) {
  console.error('CITUS_URL must name a database with Citus, on a coordinator that knows its workers');
  process.exit(2);
}
process.env['TEST_CITUS_URL'] = url;
await globalSetup();
let faults = 0;
try {
  await checkMigrations();
  await check();
} finally {
  await globalTeardown();
}
process.exitCode = faults === 0 ? 0 : 1;

async function check(): Promise<void> {
  let recorder: StatementRecorder | undefined;
  await using world = await createWorld(
    { messageRetentionDays: 7 },
    {
      database: await createTestDatabase(),
      watch(database) {
        recorder = recordStatements(database);
        return recorder.db;
      },
    },
  );
  if (!recorder) throw new Error('nothing is recorded');
  console.log(`${world.shards.workers} workers`);
  await driveHotFlows(world, recorder.enter, {
    senders: SENDERS,
    onFailure: (flow, error) => report(`FAILED: ${flow}: ${error}`),
  });
  const several: string[] = [];
  for (const statement of recorder.statements()) {
    const said = `${statement.flow}: ${statement.text}`;
    try {
      const plan = nodesOf(await explain(world.db, statement)) as { 'Distributed Query'?: { Job: Job } }[];
      const tasks = plan.flatMap((node) => node['Distributed Query']?.Job['Task Count'] ?? []);
      if (tasks.length === 1 && tasks[0] === 1) continue;
      const bounded = boundedRead(statement.text);
      if (bounded) several.push(`${bounded} (${statement.flow}: ${tasks.join(', ')} tasks)`);
      else report(`${tasks.length === 0 ? 'no task count' : `${tasks.join(', ')} tasks`}: ${said}`);
    } catch (error) {
      report(`NO PLAN: ${said}: ${error}`);
    }
  }
  for (const read of several) console.log(`bounded read: ${read}`);
  const count = recorder.statements().length;
  console.log(
    `${HOT_FLOWS.length} flows, ${count} statements, ${several.length} bounded reads; ${faults} faults`,
  );
}

/** A database that was distributed by an older version takes what came later. */
async function checkMigrations(): Promise<void> {
  const names = await listMigrationFiles();
  await createCluster(citusServers() ?? [], databaseName('older'), async (db) => {
    const run = (text: string, values: unknown[] = []) => db.unsafe(text, values as Value[]);
    await createSchema(run, { migrations: names.filter(isBaseline), now: 0 });
    await distribute(db);
    try {
      const applied = await migrate({ db, clock: systemClock, place: placeTable });
      const { undistributed = [] } = (await findDistribution(db)) ?? {};
      if (undistributed.length > 0) report(`NOT DISTRIBUTED: ${undistributed.join(', ')}`);
      console.log(`${applied.length} migrations on a distributed database`);
    } catch (error) {
      report(`MIGRATION: ${error}`);
    }
  });
}

function report(fault: string): void {
  faults++;
  console.log(fault);
}

interface Job {
  'Task Count': number;
}
