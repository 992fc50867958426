import { Button, Group, NumberInput, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LANGUAGES } from '#contract/languages.ts';
import { LIMITS } from '#contract/limits.ts';
import type { LocalText, Maintenance as MaintenanceState } from '#contract/notices.ts';
import { serverNow } from '../../ui/clock.ts';
import { maintenanceQuery } from '../../ui/notices/queries.ts';
import { runs } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { closeOverlay } from '../../ui/parts/use-back-closes.ts';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { Facts } from '../parts/facts.tsx';
import { useOperateChange } from '../parts/queries.ts';

const MINUTE_MS = 60_000;
const MOST_MINUTES = 7 * 24 * 60;

/** Starts maintenance, moves its end, and ends it. */
export function Maintenance() {
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
export function TextFields({ label, rows }: { label: (language: string) => string; rows: number }) {
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
export function readTexts(fields: FormData): LocalText | undefined {
  const given = Object.keys(LANGUAGES).flatMap((language) => {
    const text = String(fields.get(`text.${language}`) ?? '').trim();
    return text === '' ? [] : [[language, text]];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
