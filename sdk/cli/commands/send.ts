import { findAccess } from '../access.ts';
import { ACCESS_OPTIONS, type Command, UsageError } from '../command.ts';

export const sendCommand: Command = {
  name: 'send',
  parameters: ['<to>', '<text>'],
  options: ACCESS_OPTIONS,
  flags: { group: '<to> is a group' },
  about: 'send a text as the bot, to a userId or, with --group, a groupId',
  async run(terminal, typed) {
    const [to = '', content = ''] = typed.args;
    if (content.trim() === '') throw new UsageError('there is no text to send');
    const { bot } = await findAccess(terminal, typed);
    const { signal } = terminal;
    const sent = typed.flags.has('group')
      ? await bot.sendGroupMessage({ groupId: to, type: 'text', content }, { signal })
      : await bot.sendMessage({ to, type: 'text', content }, { signal });
    return { text: `sent ${sent.msgId}`, data: sent };
  },
};
