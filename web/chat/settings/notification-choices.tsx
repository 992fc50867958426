import { Group, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ChangeNotificationSettings, NotificationSettings } from '#contract/chat/push.ts';
import { NOTIFICATION_DETAILS, type NotificationDetail } from '#contract/choices.ts';
import { useAccountChange } from '../../ui/account/queries.ts';
import { callChat } from '../../ui/api.ts';
import { useTexts } from '../../ui/texts.ts';

const NIGHT = { from: '22:00', until: '07:00' };

/** Previews, sounds and quiet hours of notifications, on all of the person's devices. */
export function NotificationChoices({ settings }: { settings: NotificationSettings }) {
  const t = useTexts();
  // The choice changes at once and is reverted if the server refuses.
  const [shown, setShown] = useState(settings);
  const save = useAccountChange(
    (change: ChangeNotificationSettings) => callChat('PATCH /notifications', { body: change }),
    { done: t('ui.common.saved') },
  );
  const change = (wanted: ChangeNotificationSettings) => {
    setShown({ ...shown, ...wanted });
    save.mutate(wanted, { onError: () => setShown(settings) });
  };
  const setQuiet = (hours: { from: string; until: string } | null) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    change({ quietHours: hours && { ...hours, timeZone } });
  };
  const { detail, hasSound, quietHours } = shown;
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
      <Radio.Group
        label={t('chat.notification.detail')}
        description={t('chat.notification.detailAbout')}
        value={detail}
        onChange={(value) => change({ detail: value as NotificationDetail })}
      >
        <Stack gap="xs" mt="sm">
          {NOTIFICATION_DETAILS.map((value) => (
            <Radio key={value} value={value} label={t(`chat.notification.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Switch
        label={t('chat.notification.sound')}
        checked={hasSound}
        onChange={(event) => change({ hasSound: event.currentTarget.checked })}
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
