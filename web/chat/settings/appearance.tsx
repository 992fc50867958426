import { Stack, useMantineColorScheme } from '@mantine/core';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { RadioList } from '../../ui/parts/radio-list.tsx';
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
        <RadioList
          label={t('ui.common.language')}
          value={language}
          options={Object.entries(LANGUAGES).map(([tag, label]) => ({ value: tag, label, lang: tag }))}
          onChange={(chosen) => setLanguage(chosen as Language).catch(showError)}
        />
        <RadioList
          label={t('ui.common.colorScheme')}
          value={colorScheme}
          options={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`ui.common.${value}`),
          }))}
          onChange={setColorScheme}
        />
      </Stack>
    </Page>
  );
}
