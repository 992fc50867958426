import { Button, Stack } from '@mantine/core';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { runs } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';
import { addressOf, USUAL_DAYS, useCopiedLink } from './queries.ts';

/** An invitation link of a group, made and copied by one click. */
export function CopyInvitation({
  groupId,
  variant = 'light',
}: {
  groupId: string;
  variant?: 'filled' | 'light' | 'default';
}) {
  const t = useTexts();
  const copied = useCopiedLink(groupId);
  const { link, isCopied } = copied.data ?? {};
  return (
    <Stack gap="sm" align="stretch" ta="start">
      <Button
        variant={variant}
        leftSection={isCopied ? <IconCheck size={18} /> : <IconLink size={18} />}
        {...runs(copied)}
        style={{ alignSelf: 'center' }}
      >
        {isCopied ? t('chat.groupLink.copied') : t('chat.groupLink.copy')}
      </Button>
      {link && (
        <div role="status">
          <CopyField
            label={t('chat.groupLink.link')}
            value={addressOf(link)}
            hint={t('chat.groupLink.usual', { days: USUAL_DAYS })}
          />
        </div>
      )}
      {!link && (
        <Dimmed size="xs" ta="center">
          {t('chat.groupLink.usual', { days: USUAL_DAYS })}
        </Dimmed>
      )}
    </Stack>
  );
}
