import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Determines the plan of every scenario. */
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    /** Prints the plans instead of carrying them out. */
    plan: { type: 'boolean', default: false },
    /**
     * A defect that must be found. Of `history`: between clients and server; of `postgres-cuts`: a setting of PostgreSQL that is
     * switched off.
     */
    defect: { type: 'string' },
    /** Of `open-page`. */
    rounds: { type: 'string', default: '30' },
    /** How long each phase of `overload` and each fault of `nodes` lasts. */
    seconds: { type: 'string', default: '60' },
    /** Of `overload`. */
    connections: { type: 'string', default: '2000' },
    /** Of `overload`: how many busy loops run beside the server, for each run. */
    loops: { type: 'string', default: '4,40' },
    /** Of `backups`: how many of 100,000 messages and how many of 1,000,000 go on to their end; none leaves this size out. */
    backups: { type: 'string', default: '100,10' },
  },
});

/** The scenarios to run; all if there are none. */
export const asked = positionals;
export const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || seed < 0)
  throw new Error(`--seed takes a whole number, not ${values.seed}`);
export const isPlanOnly = values.plan;
export const defect = values.defect;
export const rounds = Number(values.rounds);
export const seconds = Number(values.seconds);
export const connections = Number(values.connections);
export const loops = values.loops.split(',').map(Number);
export const backups = values.backups.split(',').map(Number);
