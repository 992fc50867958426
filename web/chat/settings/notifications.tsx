import { Alert, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangeNotificationSettings, NotificationSettings, Notifications } from '#contract/chat/push.ts';
import { NOTIFICATION_DETAILS } from '#contract/choices.ts';
import { accountKeys } from '../../ui/account/queries.ts';
import { callChat } from '../../ui/api.ts';
import { askToNotify, isWanted, mayNotify, setWanted } from '../../ui/notifications/permission.ts';
import { notificationsQuery, subscribe, unsubscribe } from '../../ui/notifications/push.ts';
import { useChangeOf, useSettings } from '../../ui/parts/change.ts';
import { showError, tell } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { RadioList } from '../../ui/parts/radio-list.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';

const NIGHT = { from: '22:00', until: '07:00' };

/** Previews, sounds and quiet hours of notifications, on all of the person's devices. */
function NotificationChoices({ settings }: { settings: NotificationSettings }) {
  const t = useTexts();
  const save = useChangeOf(
    accountKeys,
    (wanted: ChangeNotificationSettings) => callChat('PATCH /notifications', { body: wanted }),
    { done: t('ui.common.saved') },
  );
  const [{ detail, hasSound, quietHours }, choose] = useSettings(settings, save.mutateAsync);
  const setQuiet = (hours: { from: string; until: string } | null) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    choose({ quietHours: hours && { ...hours, timeZone } });
  };
  const time = (which: 'from' | 'until') => (
    <TextInput
      type="time"
      label={t(`chat.notification.${which}`)}
      value={quietHours?.[which] ?? ''}
      onChange={({ currentTarget: { value } }) => {
        if (quietHours && value) setQuiet({ ...quietHours, [which]: value });
      }}
    />
  );
  return (
    <Stack gap="lg">
      <RadioList
        label={t('chat.notification.detail')}
        description={t('chat.notification.detailAbout')}
        value={detail}
        options={NOTIFICATION_DETAILS.map((value) => ({ value, label: t(`chat.notification.${value}`) }))}
        onChange={(wanted) => choose({ detail: wanted })}
      />
      <Switch
        label={t('chat.notification.sound')}
        checked={hasSound}
        onChange={(event) => choose({ hasSound: event.currentTarget.checked })}
      />
      <div>
        <Switch
          label={t('chat.notification.quiet')}
          description={t('chat.notification.quietAbout')}
          checked={quietHours !== null}
          onChange={(event) => setQuiet(event.currentTarget.checked ? NIGHT : null)}
        />
        {quietHours && (
          <Group mt="sm">
            {time('from')}
            {time('until')}
          </Group>
        )}
      </div>
    </Stack>
  );
}

/**
 * Whether this browser shows notifications of new messages, and the settings for all of the person's browsers.
 */
export function Component() {
  const t = useTexts();
  const notifications = useQuery(notificationsQuery);
  return (
    <Page title={t('chat.settings.notifications')} lead={t('chat.notification.lead')} back="/settings">
      <QueryView query={notifications}>
        {(shown) => (
          <Stack gap="xl">
            <ThisBrowser notifications={shown} />
            <NotificationChoices settings={shown.settings} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

function ThisBrowser({ notifications }: { notifications: Notifications }) {
  const t = useTexts();
  const [state, setState] = useState(mayNotify);
  const [isOn, setOn] = useState(() => isWanted() && mayNotify() === 'granted');
  const [isOpenOnly, setOpenOnly] = useState(false);
  const change = async (isChosen: boolean) => {
    const answer = isChosen ? await askToNotify() : state;
    const isNow = isChosen && answer === 'granted';
    setState(answer);
    setOn(isNow);
    setWanted(isNow);
    if (isNow) {
      tell(t('chat.notification.granted'));
      setOpenOnly(!(await subscribe(notifications)));
    } else await unsubscribe();
  };
  const fault =
    state === 'denied' || state === 'unsupported'
      ? t(`chat.notification.${state}`)
      : isOn && isOpenOnly && t('chat.notification.openOnly');
  return (
    <div>
      <Switch
        label={t('chat.notification.on')}
        description={t('chat.notification.thisBrowser')}
        checked={isOn}
        disabled={state === 'unsupported'}
        onChange={(event) => void change(event.currentTarget.checked).catch(showError)}
      />
      {fault && (
        <Alert color="gray" mt="md">
          {fault}
        </Alert>
      )}
    </div>
  );
}
