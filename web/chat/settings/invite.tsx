import { Button, Group, Stack } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { InviteLink } from '#contract/accounts/profiles.ts';
import { QrCode } from '../../ui/account/qr-code.tsx';
import { useAccountChange } from '../../ui/account/queries.ts';
import { confirms, runs } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import { inviteLinkQuery } from './queries.ts';

/** The person's invite link: created, shown, renewed, revoked. */
export function Component() {
  const t = useTexts();
  const link = useQuery(inviteLinkQuery);
  const make = useAccountChange('POST /invite-link', { done: t('chat.invite.made') });
  return (
    <Page title={t('chat.settings.invite')} lead={t('chat.invite.lead')} back="/settings">
      <QueryView query={link}>
        {({ inviteLink }) =>
          inviteLink ? (
            <Link link={inviteLink} onRenew={() => make.mutate(undefined)} />
          ) : (
            <Empty
              icon={<IconLink />}
              title={t('chat.invite.none')}
              action={<Button {...runs(make)}>{t('chat.invite.make')}</Button>}
            >
              {t('chat.invite.noneText')}
            </Empty>
          )
        }
      </QueryView>
    </Page>
  );
}

function Link({ link: { path, createdAt }, onRenew }: { link: InviteLink; onRenew: () => void }) {
  const t = useTexts();
  const address = new URL(path, location.origin).href;
  const end = useAccountChange('DELETE /invite-link', { done: t('chat.invite.ended') });
  return (
    <Stack>
      <CopyField label={t('chat.invite.link')} value={address} />
      <Dimmed size="xs">
        {t('chat.invite.created')} <Moment at={createdAt} />
      </Dimmed>
      <QrCode value={address} label={t('chat.invite.qr')} />
      <Group>
        <ConfirmButton
          color="parley"
          label={t('chat.invite.renew')}
          title={t('chat.invite.renewTitle')}
          onConfirm={onRenew}
          text={t('chat.invite.renewText')}
        />
        <ConfirmButton
          label={t('chat.invite.end')}
          title={t('chat.invite.endTitle')}
          text={t('chat.invite.endText')}
          {...confirms(end)}
        />
      </Group>
    </Stack>
  );
}
