import { Stack } from '@mantine/core';
import {
  IconAppWindow,
  IconBan,
  IconBell,
  IconChevronRight,
  IconEye,
  IconLanguage,
  IconLink,
  IconPhotoShield,
  IconUser,
} from '@tabler/icons-react';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import { Way } from '../parts/way.tsx';

const WAYS = [
  { to: 'account', icon: IconUser },
  { to: 'invite', icon: IconLink },
  { to: 'notifications', icon: IconBell },
  { to: 'appearance', icon: IconLanguage },
  { to: 'privacy', icon: IconEye },
  { to: 'media', icon: IconPhotoShield },
  { to: 'applications', icon: IconAppWindow },
  { to: 'blocked', icon: IconBan },
] as const;

/** Links to all settings. */
export function Component() {
  const t = useTexts();
  return (
    <Page title={t('chat.settings.title')}>
      <Stack component="ul" gap={4} my="md">
        {WAYS.map(({ to, icon: Icon }) => (
          <li key={to}>
            <Way
              to={`/settings/${to}`}
              icon={<Icon size={22} aria-hidden="true" />}
              title={t(`chat.settings.${to}`)}
              after={<IconChevronRight size={18} aria-hidden="true" />}
            >
              {t(`chat.settings.${to}Lead`)}
            </Way>
          </li>
        ))}
      </Stack>
    </Page>
  );
}
