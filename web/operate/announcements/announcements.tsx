import {
  Alert,
  Badge,
  Button,
  Card,
  Checkbox,
  Group,
  NumberInput,
  Progress,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import { LIMITS } from '#contract/limits.ts';
import type { LocalText, Maintenance as MaintenanceState } from '#contract/notices.ts';
import type { Announcement } from '#contract/operate/notices.ts';
import { serverNow } from '../../ui/clock.ts';
import { maintenanceQuery } from '../../ui/notices/queries.ts';
import { runs } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { Moment, useNow } from '../../ui/parts/moment.tsx';
import { QueryRows, QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { closeOverlay } from '../../ui/parts/use-back-closes.ts';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { fullTime, inDays, shortTime } from '../../ui/times.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { operateQuery, useOperateChange } from '../parts/queries.ts';

/** The form for a new announcement. */
function Announce() {
  const t = useTexts();
  const [isLine, setLine] = useState(true);
  const [isIncomplete, setIncomplete] = useState(false);
  const announce = useOperateChange('POST /announcements', { done: t('operate.announcement.sent') });
  const submit = (fields: FormData, form: HTMLFormElement) => {
    const text = readTexts(fields);
    const isMessage = fields.has('message');
    setIncomplete(!text || !(isLine || isMessage));
    if (!text || !(isLine || isMessage)) return;
    const days = isLine ? Number(fields.get('days')) : 0;
    const body = { text, isLine, isMessage, ...(days > 0 && { endsAt: inDays(days) }) };
    announce.mutate({ body }, { onSuccess: () => form.reset() });
  };
  return (
    <Section title={t('operate.announcement.announce')} lead={t('operate.announcement.announceLead')}>
      <Form onSubmit={submit} maw={640}>
        <TextFields label={(language) => t('operate.announcement.text', { language })} rows={2} />
        <Checkbox
          label={t('operate.announcement.line')}
          description={t('operate.announcement.lineHint')}
          checked={isLine}
          onChange={(event) => setLine(event.currentTarget.checked)}
        />
        {isLine && (
          <NumberInput name="days" label={t('operate.announcement.days')} min={1} max={3650} maw={320} />
        )}
        <Checkbox
          name="message"
          label={t('operate.announcement.message')}
          description={t('operate.announcement.messageHint', { service: t('ui.common.service') })}
        />
        {isIncomplete && (
          <Alert color="red" variant="light" role="alert">
            {t('operate.announcement.needsText')}
          </Alert>
        )}
        <Submit of={announce} w="fit-content">
          {t('operate.announcement.send')}
        </Submit>
      </Form>
    </Section>
  );
}

/** Announcements and maintenance. */
export function Component() {
  const t = useTexts();
  const announcements = useQuery({
    ...operateQuery('GET /announcements'),
    select: ({ announcements: list }) => list,
    refetchInterval: ({ state }) => (state.data?.announcements.some(isUnderWay) ? 2_000 : false),
  });
  return (
    <Screen title={t('operate.section.announcements')} lead={t('operate.announcement.lead')}>
      <Maintenance />
      <Announce />
      <Section title={t('operate.announcement.list')}>
        <QueryRows
          query={announcements}
          gap="sm"
          empty={<Empty icon={<IconSpeakerphone />} title={t('operate.announcement.none')} />}
        >
          {(one) => <Listed key={one.announcementId} announcement={one} />}
        </QueryRows>
      </Section>
    </Screen>
  );
}

/** Whether its message is still being delivered. */
function isUnderWay({ isMessage, toldAt, endedAt }: Announcement): boolean {
  return isMessage && toldAt === undefined && endedAt === undefined;
}

function Listed({ announcement }: { announcement: Announcement }) {
  const t = useTexts();
  const now = useNow();
  const { announcementId, text, isLine, isMessage, createdAt, endsAt, endedAt, people, told } = announcement;
  const isShown = isLine && endedAt === undefined && (endsAt === undefined || now < endsAt);
  const state = isShown
    ? endsAt === undefined
      ? t('operate.announcement.shown')
      : t('operate.announcement.shownUntil', { when: shortTime(endsAt, now) })
    : endedAt !== undefined
      ? t('operate.announcement.endedState')
      : isLine
        ? t('operate.announcement.over')
        : t('operate.announcement.noLine');
  const isOpen = isShown || isUnderWay(announcement);
  const progress = t('operate.announcement.told', { told: formatNumber(told), people });
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="xs">
            <Badge color={isOpen ? 'teal' : 'gray'}>{state}</Badge>
            <Dimmed size="xs">
              <Moment at={createdAt} />
            </Dimmed>
          </Group>
          {isOpen && <ActButton act="announcement.ended" params={{ announcementId }} />}
        </Group>
        {(Object.keys(LANGUAGES) as Language[]).map(
          (language) =>
            text[language] && (
              <Text key={language} size="sm" lang={language} style={{ whiteSpace: 'pre-line' }}>
                {text[language]}
              </Text>
            ),
        )}
        {isMessage && (
          <div>
            <Dimmed size="xs">{progress}</Dimmed>
            <Progress value={people === 0 ? 100 : (told / people) * 100} size="sm" aria-label={progress} />
          </div>
        )}
      </Stack>
    </Card>
  );
}

const MINUTE_MS = 60_000;
const MOST_MINUTES = 7 * 24 * 60;

/** Starts maintenance, moves its end, and ends it. */
function Maintenance() {
  const t = useTexts();
  return (
    <Section title={t('operate.announcement.maintenance')} lead={t('operate.announcement.maintenanceLead')}>
      <QueryView query={useQuery(maintenanceQuery)}>
        {(present) =>
          present ? (
            <Present present={present} />
          ) : (
            <Start
              label={t('operate.announcement.start')}
              title={t('operate.announcement.startTitle')}
              text={t('operate.announcement.startText')}
              done={t('operate.announcement.started')}
            />
          )
        }
      </QueryView>
    </Section>
  );
}

function Present({ present: { startedAt, until } }: { present: MaintenanceState }) {
  const t = useTexts();
  const end = useOperateChange('DELETE /maintenance', { done: t('operate.announcement.ended') });
  return (
    <>
      <Facts
        facts={{
          [t('operate.announcement.since')]: <Moment at={startedAt} />,
          [t('operate.announcement.until')]: fullTime(until),
        }}
      />
      <Group>
        <Button {...runs(end)}>{t('operate.announcement.end')}</Button>
        <Start
          label={t('operate.announcement.change')}
          title={t('operate.announcement.changeTitle')}
          text={t('operate.announcement.changeText')}
          done={t('operate.announcement.changed')}
        />
      </Group>
    </>
  );
}

function Start({
  label,
  title,
  text: consequence,
  done,
}: {
  label: string;
  title: string;
  text: string;
  done: string;
}) {
  const t = useTexts();
  const start = useOperateChange('PUT /maintenance', { done, onSuccess: closeOverlay });
  return (
    <ConfirmButton
      w="fit-content"
      label={label}
      title={title}
      color="parley"
      loading={start.isPending}
      needsRecentSignIn
      onConfirm={(fields) => {
        const text = readTexts(fields);
        const until = serverNow() + Number(fields.get('minutes')) * MINUTE_MS;
        start.mutate({ body: { until, ...(text && { text }) } });
      }}
      fields={
        <>
          <NumberInput
            name="minutes"
            label={t('operate.announcement.minutes')}
            defaultValue={30}
            min={1}
            max={MOST_MINUTES}
            required
            data-autofocus
          />
          <TextFields label={(language) => t('operate.announcement.why', { language })} rows={1} />
        </>
      }
      text={consequence}
    />
  );
}

/** The fields for a text in each language. */
function TextFields({ label, rows }: { label: (language: string) => string; rows: number }) {
  return Object.entries(LANGUAGES).map(([language, name]) => (
    <Textarea
      key={language}
      name={`text.${language}`}
      label={label(name)}
      lang={language}
      maxLength={LIMITS.noticeLength}
      minRows={rows}
    />
  ));
}

/** The texts entered; undefined if there are none. */
function readTexts(fields: FormData): LocalText | undefined {
  const given = Object.keys(LANGUAGES).flatMap((language) => {
    const text = String(fields.get(`text.${language}`) ?? '').trim();
    return text === '' ? [] : [[language, text]];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
