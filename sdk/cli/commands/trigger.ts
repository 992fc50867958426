import type { ReceivedEvent, ReceivedMessage } from '../../wire.ts';
import { callApi, findAccess } from '../access.ts';
import { ACCESS_OPTIONS, type Command } from '../command.ts';

const EVENTS: readonly ReceivedEvent['type'][] = ['message.received', 'group_message.received'];
const TYPES: readonly ReceivedMessage['type'][] = [
  'text',
  'image',
  'video',
  'audio',
  'doc',
  'gif',
  'sticker',
  'location',
  'poll',
];

export const triggerCommand: Command = {
  name: 'trigger',
  parameters: ['<event>'],
  options: {
    type: `message type: ${TYPES.slice(0, -1).join(', ')} or ${TYPES.at(-1)}`,
    text: 'text of the message',
    ...ACCESS_OPTIONS,
  },
  choices: { '<event>': EVENTS, '--type': TYPES },
  flags: { mentioned: 'the bot is mentioned; for group_message.received' },
  about: `simulate an event for the bot: ${EVENTS.join(' or ')}`,
  async run(terminal, typed) {
    const [event = ''] = typed.args;
    const { type = 'text', text } = typed.options;
    const body = {
      ...{ event, type },
      ...(text !== undefined && { text }),
      ...(typed.flags.has('mentioned') && { isMentioned: true }),
    };
    const access = await findAccess(terminal, typed);
    const { data } = (await callApi(access, { method: 'POST', path: '/v1/events/simulate', body })) as {
      data: { eventId: string; msgId: string };
    };
    return { text: `${event} simulated: event ${data.eventId}, message ${data.msgId}`, data };
  },
};
