import { type MantineColorScheme, Radio, Stack, useMantineColorScheme } from '@mantine/core';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { setLanguage, useLanguage, useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';

/** Language and colour scheme, for this browser. */
export function Component() {
  const t = useTexts();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Page title={t('chat.settings.appearance')} back="/settings">
      <Stack gap="xl">
        <Radio.Group
          label={t('ui.common.language')}
          value={language}
          onChange={(chosen) => setLanguage(chosen as Language).catch(showError)}
        >
          <Stack gap="xs" mt="xs">
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <Radio key={tag} value={tag} label={name} lang={tag} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t('ui.common.colorScheme')}
          value={colorScheme}
          onChange={(chosen) => setColorScheme(chosen as MantineColorScheme)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="auto" label={t('ui.common.auto')} />
            <Radio value="light" label={t('ui.common.light')} />
            <Radio value="dark" label={t('ui.common.dark')} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Page>
  );
}
