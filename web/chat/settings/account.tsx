import { Stack } from '@mantine/core';
import { AccountSections } from '../../ui/account/account.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import { settingsTexts } from './texts.ts';

/** The own account, as the console shows it too. */
export function Component() {
  const t = useTexts(settingsTexts);
  return (
    <Page title={t.account} back="/settings">
      <Stack gap={40}>
        <AccountSections />
      </Stack>
    </Page>
  );
}
