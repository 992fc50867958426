import { Button, Group, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { InviteLink } from '#contract/accounts/profiles.ts';
import { QrCode } from '../../ui/account/qr-code.tsx';
import { useAccountChange } from '../../ui/account/queries.ts';
import { callAuth } from '../../ui/api.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import { inviteLinkQuery } from './queries.ts';
import { inviteTexts, settingsTexts } from './texts.ts';

/** The person's invite link: created, shown, renewed, revoked. */
export function Component() {
  const t = { ...useTexts(settingsTexts), ...useTexts(inviteTexts) };
  const link = useQuery(inviteLinkQuery);
  const make = useAccountChange(() => callAuth('POST /invite-link'), { done: t.made });
  return (
    <Page title={t.invite} lead={t.lead} back="/settings">
      <QueryView query={link}>
        {({ inviteLink }) =>
          inviteLink ? (
            <Link link={inviteLink} onRenew={() => make.mutate(undefined)} />
          ) : (
            <Empty
              icon={<IconLink />}
              title={t.none}
              action={
                <Button loading={make.isPending} onClick={() => make.mutate(undefined)}>
                  {t.make}
                </Button>
              }
            >
              {t.noneText}
            </Empty>
          )
        }
      </QueryView>
    </Page>
  );
}

function Link({ link: { path, createdAt }, onRenew }: { link: InviteLink; onRenew: () => void }) {
  const t = useTexts(inviteTexts);
  const address = new URL(path, location.origin).href;
  const end = useAccountChange(() => callAuth('DELETE /invite-link'), { done: t.ended });
  return (
    <Stack>
      <CopyField label={t.link} value={address} />
      <Text size="xs" c="dimmed">
        {t.created} <Moment at={createdAt} />
      </Text>
      <QrCode value={address} label={t.qr} />
      <Group>
        <ConfirmButton
          variant="default"
          color="parley"
          label={t.renew}
          title={t.renewTitle}
          onConfirm={onRenew}
        >
          {t.renewText}
        </ConfirmButton>
        <ConfirmButton
          variant="default"
          label={t.end}
          title={t.endTitle}
          loading={end.isPending}
          onConfirm={() => end.mutate(undefined)}
        >
          {t.endText}
        </ConfirmButton>
      </Group>
    </Stack>
  );
}
