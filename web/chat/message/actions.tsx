import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowBackUp, IconCopy, IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { tell } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import classes from './message.module.css';
import { messageTexts } from './texts.ts';
import { useThread } from './thread-context.ts';

/** Answer, copy. The menu itself is made when it is first wanted: there are many messages. */
export function MessageActions({ message }: { message: ChatMessage }) {
  const t = { ...useTexts(commonTexts), ...useTexts(messageTexts) };
  const { mayWrite, quote } = useThread();
  const [isWanted, setWanted] = useState(false);
  const text = message.content ?? message.caption;
  if (!mayWrite && !text) return null;
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      radius="xl"
      className={classes.actions}
      aria-label={t.actions}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      <IconDots size={18} />
    </ActionIcon>
  );
  if (!isWanted) return button;
  return (
    <Menu position="bottom" opened onChange={setWanted} withinPortal>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {mayWrite && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => quote(message)}>
            {t.reply}
          </Menu.Item>
        )}
        {text && (
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => navigator.clipboard.writeText(text).then(() => tell(t.copied))}
          >
            {t.copyText}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
