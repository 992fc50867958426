import { Anchor, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { RECEIVED_TYPES } from '#contract/choices.ts';
import { LIMITS } from '#contract/limits.ts';
import { MESSAGE_EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import type { SimulateEvent } from '#contract/webhooks.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useChange } from '../application/queries.ts';

/** Sends each event with each type of message, without anybody writing it (contract §6). */
export function Simulation() {
  const t = useTexts();
  const [event, setEvent] = useState<SimulateEvent['event']>('message.received');
  const [type, setType] = useState<SimulateEvent['type']>('text');
  const simulate = useChange('POST /applications/:appId/webhook/simulate', {
    done: t('console.events.simulated'),
  });
  return (
    <Form
      onSubmit={(fields) => {
        const text = String(fields.get('text') ?? '');
        const isMentioned = fields.has('mentioned');
        simulate.mutate({
          body: {
            event,
            type,
            ...(text && { text }),
            ...(event === 'group_message.received' && { isMentioned }),
          },
        });
      }}
      maw={520}
    >
      <Dimmed>{t('console.events.simulateLead')}</Dimmed>
      <Group grow>
        <Select
          label={t('console.events.event')}
          data={MESSAGE_EVENT_TYPES}
          value={event}
          onChange={(chosen) => chosen && setEvent(chosen as SimulateEvent['event'])}
        />
        <Select
          label={t('console.events.messageType')}
          data={RECEIVED_TYPES}
          value={type}
          onChange={(chosen) => chosen && setType(chosen as SimulateEvent['type'])}
        />
      </Group>
      {type === 'text' && (
        <TextInput name="text" label={t('console.events.text')} maxLength={LIMITS.textLength} />
      )}
      {event === 'group_message.received' && (
        <Checkbox name="mentioned" label={t('console.events.mentioned')} />
      )}
      <Group>
        <Submit of={simulate} variant="light">
          {t('console.events.send')}
        </Submit>
        {simulate.data && (
          <Anchor component={Link} to={simulate.data.eventId} size="sm">
            {simulate.data.eventId}
          </Anchor>
        )}
      </Group>
    </Form>
  );
}
