import { distribute } from '../distribution/distribute.ts';
import type { Command } from './command.ts';

/** For installations that outgrow one PostgreSQL. */
export const scaleCommands: readonly Command[] = [
  {
    name: 'scale distribute',
    parameters: [],
    about: 'spread the tables over the workers of a Citus cluster',
    details:
      'DATABASE_URL is the coordinator, whose workers it knows. Writers wait until it is done; a fault changes nothing. See docs/operate/scaling.md for what is not distributed yet.',
    async run({ openDatabase }) {
      const { tables, already, workers } = await distribute(await openDatabase());
      const text = `distributed ${tables.length} tables over ${workers} workers; ${already.length} were before`;
      return { text, data: { tables, already, workers } };
    },
  },
];
