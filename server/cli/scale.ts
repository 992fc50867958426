import { distribute } from '../distribution/distribute.ts';
import type { Command } from './command.ts';

/** For installations that outgrow one PostgreSQL. */
export const scaleCommands: readonly Command[] = [
  {
    name: 'scale distribute',
    parameters: [],
    about: 'distribute the tables over the workers of a Citus cluster',
    details:
      'DATABASE_URL is the coordinator, which must know its workers. Writers wait until it is done; if it fails, nothing has changed. See docs/operate/scaling.md for what does not work on Citus yet.',
    async run({ openDatabase }) {
      const { tables, already, workers } = await distribute(await openDatabase());
      const text = `distributed ${tables.length} tables over ${workers} workers; ${already.length} were before`;
      return { text, data: { tables, already, workers } };
    },
  },
];
