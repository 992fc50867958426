import { setTimeout as pause } from 'node:timers/promises';
import { isFinal } from '../../polling/polling.ts';
import type { CommandTerminal } from '../command.ts';
import type { Outcome } from '../kit.ts';

const LOOK_EVERY_MS = 2000;

/** Looks for news until the command is stopped. While the service is away, it says so once. @throws what is no outage */
export async function follow(
  { print, signal }: Pick<CommandTerminal, 'print' | 'signal'>,
  look: () => Promise<void>,
): Promise<Outcome> {
  for (let failures = 0; !signal.aborted; ) {
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    try {
      if (!signal.aborted) await look();
      failures = 0;
    } catch (error) {
      if (signal.aborted) break;
      if (isFinal(error)) throw error;
      if (failures++ === 0) print(`Parley cannot be reached (${(error as Error).message}); trying again`);
    }
  }
  return { text: '', data: undefined };
}
