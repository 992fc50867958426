import { type MantineColorScheme, Radio, Stack, useMantineColorScheme } from '@mantine/core';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { setLanguage, useLanguage, useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import { settingsTexts } from './texts.ts';

/** Language and colour scheme, for this browser. */
export function Component() {
  const t = { ...useTexts(commonTexts), ...useTexts(settingsTexts) };
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Page title={t.appearance} back="/settings">
      <Stack gap="xl">
        <Radio.Group
          label={t.language}
          value={language}
          onChange={(chosen) => setLanguage(chosen as Language)}
        >
          <Stack gap="xs" mt="xs">
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <Radio key={tag} value={tag} label={name} lang={tag} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t.colorScheme}
          value={colorScheme}
          onChange={(chosen) => setColorScheme(chosen as MantineColorScheme)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="auto" label={t.auto} />
            <Radio value="light" label={t.light} />
            <Radio value="dark" label={t.dark} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Page>
  );
}
