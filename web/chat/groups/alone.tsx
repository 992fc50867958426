import { IconUsersPlus } from '@tabler/icons-react';
import { Empty } from '../../ui/parts/empty.tsx';
import { useTexts } from '../../ui/texts.ts';
import { CopyInvitation } from './copy-invitation.tsx';

/** In place of the messages of a group in which its administrator is alone. */
export default function Alone({ groupId }: { groupId: string }) {
  const t = useTexts();
  return (
    <Empty
      icon={<IconUsersPlus />}
      title={t('chat.groupLink.aloneTitle')}
      action={<CopyInvitation groupId={groupId} variant="filled" />}
    >
      {t('chat.groupLink.aloneText')}
    </Empty>
  );
}
