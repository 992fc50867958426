import { Alert, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Outlet, useParams } from 'react-router';
import type { Application } from '#contract/applications.ts';
import { WithScreenLinks } from '../../ui/parts/screen-links.tsx';
import { Waiting } from '../../ui/parts/waiting.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ApplicationBadge } from './badges.tsx';
import { applicationQuery } from './queries.ts';
import { SCREENS } from './screens.ts';

/** The id of the note that tells viewers why controls are disabled. */
const VIEWER_NOTICE = 'viewer-notice';

/** The frame of an application's screens: its name, state and navigation. */
export function Component() {
  const { appId } = useParams();
  return (
    <Suspense fallback={<Waiting />}>
      {/* The key resets unsaved input when the application changes. */}
      <Frame key={appId} />
    </Suspense>
  );
}

/** For screens inside the frame: the application in the URL. */
export function useApplication(): Application {
  const { appId = '' } = useParams();
  return useSuspenseQuery(applicationQuery(appId)).data;
}

/** Controls that the server refuses to viewers: they are disabled, and the frame explains why. */
export function DeveloperOnly({ children }: { children: ReactNode }) {
  const { role } = useApplication();
  if (role !== 'viewer') return children;
  return (
    <fieldset disabled style={{ display: 'contents' }} aria-describedby={VIEWER_NOTICE}>
      {children}
    </fieldset>
  );
}

function Frame() {
  const t = useTexts();
  const { appId, name, state, role } = useApplication();
  const screens = SCREENS.map(({ path, key, icon }) => ({
    to: `/applications/${appId}${path && `/${path}`}`,
    label: t(`console.application.${key}`),
    icon,
    isExact: path === '',
  }));
  return (
    <WithScreenLinks
      label={t('console.application.screens')}
      screens={screens}
      heading={
        <Group justify="space-between" gap="xs" px="xs">
          <Text fw={650} truncate title={name} flex="1 1 8rem">
            {name}
          </Text>
          <ApplicationBadge appId={appId} state={state} />
        </Group>
      }
    >
      {role === 'viewer' && (
        <Alert id={VIEWER_NOTICE} variant="default" p="xs" mb="md" maw={760}>
          {t('console.application.viewer')}
        </Alert>
      )}
      <Outlet />
    </WithScreenLinks>
  );
}
