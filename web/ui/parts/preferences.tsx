import { ActionIcon, Group, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconLanguage, IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react';
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
  const Shown = schemes.find(({ value }) => value === colorScheme)?.icon ?? IconSunMoon;
  return (
    <Group gap={4} wrap="nowrap">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('ui.common.language')}>
            <IconLanguage size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
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
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('ui.common.colorScheme')}>
            <Shown size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {schemes.map(({ value, label, icon: Icon }) => (
            <MenuItem
              key={value}
              icon={Icon}
              label={label}
              onClick={() => setColorScheme(value)}
              rightSection={value === colorScheme && <IconCheck size={16} />}
            />
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
