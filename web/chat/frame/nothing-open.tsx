import { Button, Center } from '@mantine/core';
import { IconLink, IconMessage, IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Empty } from '../../ui/parts/empty.tsx';
import { useTexts } from '../../ui/texts.ts';
import { conversationsQuery } from '../conversations/queries.ts';

/** Shown beside the list while nothing is open. */
export function Component() {
  const t = useTexts();
  const { data } = useQuery(conversationsQuery);
  const isNew = data?.conversations.length === 0;
  const [to, Icon, label] = isNew
    ? (['/settings/invite', IconLink, t('chat.conversation.invitePeople')] as const)
    : (['/new/bot', IconMessage, t('chat.bot.title')] as const);
  return (
    <Center h="100%">
      <title>{t('ui.common.service')}</title>
      <Empty
        icon={<IconMessages />}
        title={isNew ? t('chat.frame.welcomeTitle') : t('chat.frame.chooseTitle')}
        action={
          <Button variant="light" component={Link} to={to} leftSection={<Icon size={18} />}>
            {label}
          </Button>
        }
      >
        {isNew ? t('chat.frame.welcomeText') : t('chat.frame.chooseText')}
      </Empty>
    </Center>
  );
}
