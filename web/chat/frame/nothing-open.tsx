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
  return (
    <Center h="100%">
      <title>{t('ui.common.service')}</title>
      <Empty
        icon={<IconMessages />}
        title={isNew ? t('chat.frame.welcomeTitle') : t('chat.frame.chooseTitle')}
        action={
          isNew ? (
            <Button
              variant="light"
              component={Link}
              to="/settings/invite"
              leftSection={<IconLink size={18} />}
            >
              {t('chat.conversation.invitePeople')}
            </Button>
          ) : (
            <Button variant="light" component={Link} to="/new/bot" leftSection={<IconMessage size={18} />}>
              {t('chat.bot.title')}
            </Button>
          )
        }
      >
        {isNew ? t('chat.frame.welcomeText') : t('chat.frame.chooseText')}
      </Empty>
    </Center>
  );
}
