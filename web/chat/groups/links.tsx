import { Button, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupLink, NewGroupLink } from '#contract/group-links.ts';
import { QrCode } from '../../ui/account/qr-code.tsx';
import { runs } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { Happened } from '../../ui/parts/moment.tsx';
import { Failed } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { GroupSection } from './group-section.tsx';
import { addressOf, DAY_SECONDS, linksQuery, USUAL_DAYS, useGroupChange } from './queries.ts';

/** The invitation links of a group, for its administrators. */
export function GroupLinks({ groupId }: { groupId: string }) {
  const t = useTexts();
  const made = useQuery(linksQuery(groupId));
  const links = made.data?.links ?? [];
  const [isMaking, setMaking] = useState(false);
  return (
    <GroupSection
      title={t('chat.groupLink.title')}
      add={t('chat.groupLink.make')}
      onAdd={() => setMaking(true)}
    >
      <Dimmed>{t('chat.groupLink.lead')}</Dimmed>
      <Failed query={made} />
      {links.length > 0 && (
        <Stack component="ul" gap={2}>
          {links.map((link) => (
            <Row key={link.linkId} groupId={groupId} link={link} />
          ))}
        </Stack>
      )}
      <Dialog opened={isMaking} onClose={() => setMaking(false)} title={t('chat.groupLink.make')}>
        <MakeLink groupId={groupId} onEnd={() => setMaking(false)} />
      </Dialog>
    </GroupSection>
  );
}

function Row({
  groupId,
  link: { linkId, madeBy, expiresAt, uses, used, needsApproval },
}: {
  groupId: string;
  link: GroupLink;
}) {
  const t = useTexts();
  const revoke = useGroupChange('POST /groups/links/revoke', { done: t('chat.groupLink.revoked') });
  const did = needsApproval ? 'asked' : 'joined';
  const by = t('chat.groupLink.madeBy', { name: madeBy.name });
  return (
    <Group component="li" wrap="nowrap" gap="sm" mih={48} aria-label={by}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm">
          {uses === undefined
            ? t(`chat.groupLink.${did}`, { count: used })
            : t(`chat.groupLink.${did}Of`, { count: used, uses })}
          {' · '}
          <Happened words={t('chat.groupLink.ends')} at={expiresAt} never={t('chat.groupLink.endless')} />
          {needsApproval && ` · ${t('chat.groupLink.approved')}`}
        </Text>
        <Dimmed size="xs" truncate>
          {by}
        </Dimmed>
      </div>
      <Button variant="default" size="compact-sm" {...runs(revoke, { body: { groupId, linkId } })}>
        {t('chat.groupLink.revoke')}
      </Button>
    </Group>
  );
}

const DAYS = [1, USUAL_DAYS, 30];
const USES = [1, 10, 100];

/** End and number of uses of a new link, then the link itself. */
function MakeLink({ groupId, onEnd }: { groupId: string; onEnd: () => void }) {
  const t = useTexts();
  const [made, setMade] = useState<NewGroupLink>();
  const make = useGroupChange('POST /groups/links', { onSuccess: setMade });
  if (made) return <Made link={made} onEnd={onEnd} />;
  return (
    <Form
      onSubmit={(fields) => {
        const [days, uses] = [Number(fields.get('days')), Number(fields.get('uses'))];
        const body = {
          groupId,
          needsApproval: fields.has('approval'),
          ...(days > 0 && { expiresInSeconds: days * DAY_SECONDS }),
          ...(uses > 0 && { uses }),
        };
        make.mutate({ body });
      }}
    >
      <NativeSelect
        name="days"
        label={t('chat.groupLink.lifetime')}
        defaultValue={USUAL_DAYS}
        data={[
          ...DAYS.map((count) => ({ value: String(count), label: t('chat.groupLink.days', { count }) })),
          { value: '', label: t('chat.groupLink.untilRevoked') },
        ]}
        data-autofocus
      />
      <NativeSelect
        name="uses"
        label={t('chat.groupLink.uses')}
        data={[
          { value: '', label: t('chat.groupLink.anyNumber') },
          ...USES.map((count) => ({ value: String(count), label: t('chat.groupLink.people', { count }) })),
        ]}
      />
      <Switch name="approval" label={t('chat.groupLink.approval')} />
      <CancelOr onCancel={onEnd} loading={make.isPending}>
        {t('chat.groupLink.create')}
      </CancelOr>
    </Form>
  );
}

function Made({ link, onEnd }: { link: NewGroupLink; onEnd: () => void }) {
  const t = useTexts();
  const address = addressOf(link);
  return (
    <Stack>
      <CopyField label={t('chat.groupLink.link')} value={address} hint={t('chat.groupLink.shownOnce')} />
      <QrCode value={address} label={t('chat.groupLink.qr')} />
      <Group justify="flex-end">
        <Button onClick={onEnd}>{t('chat.groupLink.done')}</Button>
      </Group>
    </Stack>
  );
}
