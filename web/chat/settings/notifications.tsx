import { Alert, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Notifications } from '#contract/chat/push.ts';
import { showError, tell } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { askToNotify, isWanted, mayNotify, setWanted } from '../notifications/permission.ts';
import { notificationsQuery, subscribe, unsubscribe } from '../notifications/push.ts';
import { Page } from '../parts/page.tsx';
import { NotificationChoices } from './notification-choices.tsx';

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
