import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How long each phase of `overload` and each fault of `nodes` lasts. */
    seconds: { type: 'string', default: '60' },
    /** Of `overload`. */
    connections: { type: 'string', default: '2000' },
    /** Of `overload`: how many busy loops run beside the server, for each run. */
    loops: { type: 'string', default: '4,40' },
  },
});

/** The scenarios to run; all if there are none. */
export const asked = positionals;
export const seconds = Number(values.seconds);
export const connections = Number(values.connections);
export const loops = values.loops.split(',').map(Number);
