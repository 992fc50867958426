import type { FeedEvent, ReceivedEvent } from '../../wire.ts';
import { findAccess } from '../access.ts';
import { ACCESS_OPTIONS, type Command } from '../command.ts';
import { UsageError } from '../kit.ts';
import { follow } from './follow.ts';

export const eventsCommand: Command = {
  name: 'events',
  options: { after: 'cursor of an event', limit: 'how many, from 1 to 500', ...ACCESS_OPTIONS },
  flags: { follow: 'keep listing new ones until you press Ctrl+C' },
  about: 'list the events of the bot, oldest first',
  async run(terminal, typed) {
    const { bot } = await findAccess(terminal, typed);
    const { after, limit } = typed.options;
    if (limit !== undefined && !/^\d+$/.test(limit)) throw new UsageError('--limit must be a number');
    const page = {
      ...(after !== undefined && { after }),
      ...(limit !== undefined && { limit: Number(limit) }),
    };
    const { signal } = terminal;
    let { events, nextAfter } = await bot.listEvents(page, { signal });
    if (!typed.flags.has('follow'))
      return { text: events.map(lineOf).join('\n') || 'no events', data: events };
    const show = () => {
      for (const event of events) terminal.report(lineOf(event), event);
    };
    show();
    return follow(terminal, async () => {
      ({ events, nextAfter } = await bot.listEvents({ after: nextAfter }, { signal }));
      show();
    });
  },
};

export const deadLettersCommand: Command = {
  name: 'dead-letters',
  options: ACCESS_OPTIONS,
  about: 'list the events abandoned by the bot or at its webhook, oldest first',
  async run(terminal, typed) {
    const { bot } = await findAccess(terminal, typed);
    const letters = [];
    for await (const letter of bot.deadLetters({ signal: terminal.signal })) letters.push(letter);
    const lines = letters.map(
      (letter) => `${letter.eventId}  ${summaryOf(letter.event)}\n  ${letter.message}`,
    );
    return { text: lines.join('\n') || 'no dead letters', data: letters };
  },
};

export const replayCommand: Command = {
  name: 'replay',
  parameters: ['<eventId…>'],
  options: ACCESS_OPTIONS,
  about: 'send events again, such as dead letters',
  async run(terminal, typed) {
    const { bot } = await findAccess(terminal, typed);
    const { replayed } = await bot.replayEvents([...typed.args], { signal: terminal.signal });
    const isAll = replayed === typed.args.length;
    return {
      text: `${replayed} of ${typed.args.length} sent again${isAll ? '' : '; the others are unknown or about to be sent'}`,
      data: { replayed },
      exitCode: isAll ? 0 : 1,
    };
  },
};

function lineOf({ cursor, createdAt, event }: FeedEvent): string {
  return `${cursor}  ${new Date(createdAt).toISOString()}  ${summaryOf(event)}`;
}

function summaryOf({ type, data }: ReceivedEvent): string {
  if (!('msgId' in data)) return type;
  if (!('textMsg' in data)) return `${type}  ${data.msgId}`;
  return `${type}  ${data.msgId}  ${data.type === 'text' ? JSON.stringify(data.textMsg) : data.type}`;
}
