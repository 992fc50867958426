import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readConfig } from '#platform/config.ts';
import { loadKeyring } from '#platform/crypto/master-keys.ts';
import { createLog } from '#platform/log.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { findDistribution } from '../distribution/shards.ts';
import { placeTable } from '../distribution/tables.ts';
import type { Command } from './command.ts';
import { openServerDatabase } from './database.ts';

const DEMO = new URL('../../tests/demo/demo.ts', import.meta.url);

/** Commands that run the server, migrate the schema, or show the demo. */
export const runCommands: readonly Command[] = [
  {
    name: 'start',
    about: 'run the server until it is stopped',
    details:
      'The settings come from the environment; see docs/operate/configuration.md. SIGTERM drains and stops.',
    async run() {
      await import('../start.ts');
      return '';
    },
  },
  {
    name: 'migrate',
    about: 'bring the schema of the database up to date, as every start does',
    async run({ clock, random, environment }) {
      const config = readConfig(environment);
      // A new embedded database begins with its key, as at a start.
      if (config.databaseUrl === undefined)
        await loadKeyring(config, { random, clock, log: createLog('silent') });
      await using opened = await openServerDatabase(config, { make: true });
      const place = (await findDistribution(opened.db)) && placeTable;
      const applied = await migrate({ db: opened.db, clock, place });
      const text = applied.length > 0 ? `applied ${applied.join(', ')}` : 'the schema is up to date';
      return { text, data: { applied } };
    },
  },
  {
    name: 'demo',
    about: 'show a bot that answers messages of every type, on a scratch server',
    async run({ signal }) {
      if (!existsSync(DEMO)) throw new Error('the demo comes with the source, not with this installation');
      const demo = spawn(process.execPath, [fileURLToPath(DEMO)], { stdio: 'inherit' });
      signal.addEventListener('abort', () => demo.kill());
      const [exitCode] = await once(demo, 'exit');
      return { text: '', data: { exitCode: exitCode ?? 1 }, exitCode: exitCode ?? 1 };
    },
  },
];
