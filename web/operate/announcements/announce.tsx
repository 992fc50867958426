import { Alert, Button, Checkbox, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import type { MakeAnnouncement } from '#contract/operate/notices.ts';
import { callOperate } from '../../ui/api.ts';
import { announcementsQuery } from '../../ui/notices/queries.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { Form } from '../../ui/parts/form.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { readTexts, TextFields } from './text-fields.tsx';
import { announcementTexts } from './texts.ts';

const DAY_MS = 86_400_000;

/** The form for a new announcement. */
export function Announce() {
  const t = useTexts(announcementTexts);
  const [isLine, setLine] = useState(true);
  const [isIncomplete, setIncomplete] = useState(false);
  const announce = useChangeOf(
    [['operate'], announcementsQuery.queryKey],
    ({ given }: { given: MakeAnnouncement; form: HTMLFormElement }) =>
      callOperate('POST /announcements', { body: given }),
    { done: t.sent },
  );
  const submit = (fields: FormData, form: HTMLFormElement) => {
    const text = readTexts(fields);
    const isMessage = fields.has('message');
    setIncomplete(!text || !(isLine || isMessage));
    if (!text || !(isLine || isMessage)) return;
    const days = isLine ? Number(fields.get('days')) : 0;
    const given = { text, isLine, isMessage, ...(days > 0 && { endsAt: Date.now() + days * DAY_MS }) };
    announce.mutate({ given, form }, { onSuccess: () => form.reset() });
  };
  return (
    <Section title={t.announce} lead={t.announceLead}>
      <Form onSubmit={submit}>
        <Stack maw={640}>
          <TextFields label={t.text} rows={2} />
          <Checkbox
            label={t.line}
            description={t.lineHint}
            checked={isLine}
            onChange={(event) => setLine(event.currentTarget.checked)}
          />
          {isLine && (
            <NumberInput name="days" label={t.days} min={1} max={3650} allowDecimal={false} maw={320} />
          )}
          <Checkbox name="message" label={t.message} description={t.messageHint} />
          {isIncomplete && (
            <Alert color="red" variant="light" role="alert">
              {t.needsText}
            </Alert>
          )}
          <div>
            <Button type="submit" loading={announce.isPending}>
              {t.send}
            </Button>
          </div>
        </Stack>
      </Form>
    </Section>
  );
}
