import { Button, Center } from '@mantine/core';
import { IconLink, IconMessages, IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { commonTexts } from '../../ui/common-texts.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { useTexts } from '../../ui/texts.ts';
import { conversationsQuery } from '../conversations/queries.ts';
import { conversationTexts } from '../conversations/texts.ts';
import { frameTexts } from './texts.ts';

/** Shown beside the list while nothing is open. */
export function Component() {
  const t = { ...useTexts(commonTexts), ...useTexts(frameTexts), ...useTexts(conversationTexts) };
  const { data } = useQuery(conversationsQuery);
  const isNew = data?.conversations.length === 0;
  return (
    <Center h="100%">
      <title>{t.service}</title>
      <Empty
        icon={<IconMessages />}
        title={isNew ? t.welcomeTitle : t.chooseTitle}
        action={
          isNew ? (
            <Button
              variant="light"
              component={Link}
              to="/settings/invite"
              leftSection={<IconLink size={18} />}
            >
              {t.invitePeople}
            </Button>
          ) : (
            <Button variant="light" component={Link} to="/new/bot" leftSection={<IconRobot size={18} />}>
              {t.findBot}
            </Button>
          )
        }
      >
        {isNew ? t.welcomeText : t.chooseText}
      </Empty>
    </Center>
  );
}
