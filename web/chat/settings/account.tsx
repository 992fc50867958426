import { Stack } from '@mantine/core';
import { AccountSections } from '../../ui/account/account.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';

/** The person's own account, as in the console. */
export function Component() {
  const t = useTexts();
  return (
    <Page title={t('chat.settings.account')} back="/settings">
      <Stack gap={40}>
        <AccountSections />
      </Stack>
    </Page>
  );
}
