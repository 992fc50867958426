import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { type Arena, createArena } from './arena.ts';
import { findFault, type Limits, type Race, repeat, runRace, Violation } from './race.ts';
import { RACES } from './races/index.ts';

/**
 * `npm run interleavings`: the statements of concurrent requests in every order, up to `--orders` for each race, and in `--random`
 * random orders beyond them. `--race=NAME --order=abba` repeats one order; `--without-guards` leaves out one guard after
 * another, each of which must be found.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    orders: { type: 'string', default: '1000' },
    random: { type: 'string', default: '1000' },
    race: { type: 'string', multiple: true, default: Object.keys(RACES) },
    order: { type: 'string' },
    'without-guards': { type: 'boolean', default: false },
  },
});
const { seed, order } = values;
const unknown = values.race.filter((name) => !(name in RACES));
if (unknown.length > 0)
  throw new Error(`no such race: ${unknown.join(', ')}; there are ${Object.keys(RACES).join(', ')}`);

console.log(`seed ${seed}`);
await globalSetup();
try {
  await using arena = await createArena();
  const run = values['without-guards'] ? withoutGuards : order === undefined ? search : repeatOne;
  for (const name of values.race) await run(arena, name, RACES[name] as Race);
} finally {
  await globalTeardown();
}

function limitsOf(name: string): Limits {
  return { orders: Number(values.orders), random: Number(values.random), seed: `${name} ${seed}` };
}

async function search(arena: Arena, name: string, race: Race): Promise<void> {
  await reporting(name, async () => {
    const { orders, areAll, switches, random } = await runRace(arena, race, limitsOf(name));
    const which = areAll
      ? 'all that are possible'
      : `all with up to ${switches} switches, ${random} at random`;
    console.log(`| ${name} | ${orders} | ${which} |`);
  });
}

async function repeatOne(arena: Arena, name: string, race: Race): Promise<void> {
  await reporting(name, async () => {
    await repeat(arena, race, order as string);
    console.log(`${name}: nothing is wrong in the order ${order}`);
  });
}

async function withoutGuards(arena: Arena, name: string, race: Race): Promise<void> {
  for (const [guard, parts] of Object.entries(race.guards)) {
    const fault = await findFault(arena, race, parts, limitsOf(name));
    if (!fault) process.exitCode = 1;
    console.log(`| ${name} | ${guard} | ${fault ? `yes, \`${fault.order}\`` : '**no**'} |`);
  }
}

async function reporting(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    process.exitCode = 1;
    console.error(`${name}: ${error.message}`);
    console.error(`To repeat this: npm run interleavings -- --race='${name}' --order=${error.order}\n`);
  }
}
