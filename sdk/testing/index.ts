import { type EmulatorOptions, startEmulator } from './emulator.ts';
import { Parley } from './parley.ts';

export type { Duration, Parley, TestBot } from './parley.ts';
export type { Recipient, TestAccount, TestMessage, TestPerson } from './person.ts';

/**
 * A Parley for one or more tests: the real server, empty, with a clock controlled by the test.
 *
 * @example
 * const parley = await startParley();
 * const { apiKey } = await parley.createBot();
 * await parley.stop();
 */
export async function startParley(options: EmulatorOptions = {}): Promise<Parley> {
  return new Parley(await startEmulator(options));
}
