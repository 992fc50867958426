import { setTimeout as pause } from 'node:timers/promises';
import type { LoggedRequest } from '../../wire.ts';
import { findAccess } from '../access.ts';
import { ACCESS_OPTIONS, type Command } from '../command.ts';

const LOOK_EVERY_MS = 2000;

export const logsCommand: Command = {
  name: 'logs',
  options: ACCESS_OPTIONS,
  flags: { follow: 'keep listing new ones until you press Ctrl+C' },
  about: 'show the latest API requests of the application, oldest first',
  async run(terminal, typed) {
    const { bot } = await findAccess(terminal, typed);
    const { signal } = terminal;
    let requests = (await bot.listRequests({}, { signal })).requests.reverse();
    if (!typed.flags.has('follow'))
      return { text: requests.map(lineOf).join('\n') || 'no requests', data: requests };
    const seen = new Set<string>();
    while (!signal.aborted) {
      const fresh = requests.filter(({ requestId }) => !seen.has(requestId));
      for (const one of fresh) terminal.report(lineOf(one), one);
      for (const { requestId } of requests) seen.add(requestId);
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      // This command's own requests are in the log, too.
      requests = (await bot.listRequests({}, { signal })).requests
        .filter(({ route }) => route !== '/v1/requests')
        .reverse();
    }
    return { text: '', data: undefined };
  },
};

function lineOf({ at, status, method, route, durationMs, message, unknownFields }: LoggedRequest): string {
  const ignored = unknownFields && `ignored, since unknown: ${unknownFields.join(', ')}`;
  const facts = [status, `${method} ${route}`, `${Math.round(durationMs)} ms`, message, ignored];
  return [new Date(at).toISOString(), ...facts.filter(Boolean)].join('  ');
}
