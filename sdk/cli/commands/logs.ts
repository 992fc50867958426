import type { LoggedRequest } from '../../wire.ts';
import { findAccess } from '../access.ts';
import { ACCESS_OPTIONS, type Command } from '../command.ts';
import { follow } from './follow.ts';

export const logsCommand: Command = {
  name: 'logs',
  options: ACCESS_OPTIONS,
  flags: { follow: 'keep listing new ones until you press Ctrl+C' },
  about: 'show the latest API requests of the application, oldest first',
  async run(terminal, typed) {
    const { bot } = await findAccess(terminal, typed);
    const { signal } = terminal;
    const { requests } = await bot.listRequests({}, { signal });
    requests.reverse();
    if (!typed.flags.has('follow'))
      return { text: requests.map(lineOf).join('\n') || 'no requests', data: requests };
    const seen = new Set<string>();
    const show = (shown: readonly LoggedRequest[]) => {
      const fresh = shown.filter(({ requestId }) => !seen.has(requestId));
      for (const one of fresh) terminal.report(lineOf(one), one);
      for (const { requestId } of shown) seen.add(requestId);
    };
    show(requests);
    return follow(terminal, async () => {
      const latest = (await bot.listRequests({}, { signal })).requests;
      // This command's own requests are in the log, too.
      show(latest.filter(({ route }) => route !== '/v1/requests').reverse());
    });
  },
};

function lineOf({ at, status, method, route, durationMs, message, unknownFields }: LoggedRequest): string {
  const ignored = unknownFields && `ignored, since unknown: ${unknownFields.join(', ')}`;
  const facts = [status, `${method} ${route}`, `${Math.round(durationMs)} ms`, message, ignored];
  return [new Date(at).toISOString(), ...facts.filter(Boolean)].join('  ');
}
