import { ActionIcon, Group, Menu, useMantineColorScheme } from '@mantine/core';
import { type Icon, IconCheck, IconLanguage, IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import { setLanguage, useLanguage, useTexts } from '../texts.ts';
import { showError } from './faults.tsx';
import { MenuItem } from './menu-item.tsx';

/** Language and colour scheme, for this browser. */
export function Preferences() {
  const t = useTexts();
  const current = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = [
    { value: 'light', label: t('ui.common.light'), icon: IconSun },
    { value: 'dark', label: t('ui.common.dark'), icon: IconMoon },
    { value: 'auto', label: t('ui.common.auto'), icon: IconSunMoon },
  ] as const;
  const shown = schemes.find(({ value }) => value === colorScheme)?.icon ?? IconSunMoon;
  return (
    <Group gap={4} wrap="nowrap">
      <IconMenu icon={IconLanguage} label={t('ui.common.language')}>
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <Menu.Item
            key={tag}
            lang={tag}
            onClick={() => setLanguage(tag as Language).catch(showError)}
            rightSection={tag === current && <IconCheck size={16} />}
          >
            {name}
          </Menu.Item>
        ))}
      </IconMenu>
      <IconMenu icon={shown} label={t('ui.common.colorScheme')}>
        {schemes.map(({ value, label, icon: Icon }) => (
          <MenuItem
            key={value}
            icon={Icon}
            label={label}
            onClick={() => setColorScheme(value)}
            rightSection={value === colorScheme && <IconCheck size={16} />}
          />
        ))}
      </IconMenu>
    </Group>
  );
}

function IconMenu({ icon: Shown, label, children }: { icon: Icon; label: string; children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <Shown size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
