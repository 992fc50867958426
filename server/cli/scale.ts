import type { Command } from './command.ts';

const REFUSED =
  'not yet: this version does not serve everything on Citus (docs/operate/scaling.md lists what is missing), and the database would have to be restored from a backup. Nothing has changed.';

/** For installations that outgrow one PostgreSQL. */
export const scaleCommands: readonly Command[] = [
  {
    name: 'scale distribute',
    parameters: [],
    about: 'distribute the tables over the workers of a Citus cluster',
    details:
      'Refuses for now: this version does not serve everything on Citus yet. See docs/operate/scaling.md for what is missing.',
    async run() {
      throw new Error(REFUSED);
    },
  },
];
