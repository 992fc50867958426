import { EVENT_TYPES, SIMULATED_TYPES } from '#contract/webhooks.ts';
import { apiAccess } from './api.ts';
import { type Command, UsageError } from './command.ts';

export const triggerCommand = {
  name: 'trigger',
  parameters: ['<event>'],
  options: {
    type: `message type: ${SIMULATED_TYPES.join(', ')}`,
    text: 'text of the message',
    key: 'API key of the bot (or PARLEY_API_KEY)',
    server: 'address of Parley (or PARLEY_URL; http://localhost:3000)',
  },
  about: `simulate an event for a bot: ${EVENT_TYPES.filter((event) => event !== 'ping').join(' or ')}`,
  async run({ environment }, [event = ''], { type = 'text', text, ...options }) {
    const { server, key } = apiAccess(environment, options);
    const response = await fetch(`${server}/v1/events/simulate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event, type, ...(text !== undefined && { text }) }),
    }).catch(() => {
      throw new Error(`Parley cannot be reached at ${server}`);
    });
    const body = (await response.json()) as { message: string; data: { eventId: string; msgId: string } };
    if (response.status === 400) throw new UsageError(body.message);
    if (!response.ok) throw new Error(`Parley answered ${response.status}: ${body.message}`);
    return `${event} simulated: event ${body.data.eventId}, message ${body.data.msgId}`;
  },
} satisfies Command;
