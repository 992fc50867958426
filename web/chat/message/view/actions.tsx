import { ActionIcon, Button, Menu, Stack, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconDots,
  IconFlag,
  IconMoodSmile,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconSelect,
  IconTrash,
} from '@tabler/icons-react';
import { type Dispatch, lazy, type ReactNode, type SetStateAction, Suspense, useId } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { runs, useAction } from '../../../ui/parts/change.ts';
import { Dialog } from '../../../ui/parts/dialog.tsx';
import { showError, tell } from '../../../ui/parts/faults.tsx';
import { useReturnsFocus } from '../../../ui/parts/use-returns-focus.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import { mayForward } from '../../forward/forward.ts';
import type { Unsent } from '../../outbox/store.ts';
import { useReact } from '../../reactions/queries.ts';
import { QuickReactions } from '../../reactions/quick.tsx';
import { deleteForEverybody, deleteForMe, mayDelete, mayEdit } from '../changes.ts';
import classes from '../message.module.css';
import { setPinned } from '../pins.ts';
import { useThread } from '../thread-context.ts';

const ReportDialog = lazy(() => import('../../report/dialog.tsx'));
const EmojiDialog = lazy(() => import('../../reactions/emoji-dialog.tsx'));
const WhoReacted = lazy(() => import('../../reactions/who.tsx'));

/** The dialog or menu that is open. */
export type ShownActions = 'menu' | 'delete' | 'emoji' | 'reactions' | 'report' | undefined;

/** React, reply, copy, forward, pin, edit, delete. The menu is rendered when it is first opened: there are many messages. */
export function MessageActions({
  message,
  shown,
  onOpen,
  onShow,
  album = [],
}: {
  message: ChatMessage;
  shown: ShownActions;
  onOpen: () => void;
  onShow: Dispatch<SetStateAction<ShownActions>>;
  /** The messages displayed together with it, which are forwarded and deleted with it. */
  album?: (ChatMessage | Unsent)[] | undefined;
}) {
  const t = useTexts();
  const { mayWrite, mayReact, isAdmin, mayPin, pinned, quote, edit, forward, select } = useThread();
  const { accountId } = useAccount();
  const react = useReact(message);
  const id = useId();
  useReturnsFocus(shown !== undefined);
  const close = () => onShow(undefined);
  const text = message.content ?? message.caption;
  const isPinned = pinned.has(message.msgId);
  const others = album.flatMap((one) => ('msgId' in one && one.msgId !== message.msgId ? one : []));
  const messages = [message, ...others];
  const mayQuote = mayWrite && message.type !== 'deleted';
  const button = (
    <ActionIcon
      id={id}
      radius="xl"
      className={classes.actions}
      aria-label={t('chat.message.actions')}
      aria-haspopup="menu"
      onClick={onOpen}
    >
      <IconDots size={18} />
    </ActionIcon>
  );
  const dialogs: Record<Exclude<ShownActions, 'menu' | undefined>, () => ReactNode> = {
    emoji: () => <EmojiDialog onChoose={react} onClose={close} />,
    reactions: () => <WhoReacted message={message} onClose={close} />,
    report: () => (
      <ReportDialog
        conversationId={message.conversationId}
        userId={message.from}
        first={message}
        onClose={close}
      />
    ),
    delete: () => (
      <DeleteMessage
        messages={messages}
        isForEverybody={mayDelete(message, { accountId, isAdmin, now: Date.now() })}
        onClose={close}
      />
    ),
  };
  if (shown !== 'menu') {
    return (
      <>
        {button}
        <Suspense>{shown && dialogs[shown]()}</Suspense>
      </>
    );
  }
  return (
    <Menu
      id={id}
      position="bottom"
      opened
      onChange={() => onShow((now) => (now === 'menu' ? undefined : now))}
      // Inside a landmark of the page, but outside the scroll area.
      portalProps={{ target: 'main' }}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {mayReact && message.type !== 'deleted' && (
          <QuickReactions onReact={react} onMore={() => onShow('emoji')} onDone={close} />
        )}
        {mayQuote && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => quote(message)}>
            {t('chat.message.reply')}
          </Menu.Item>
        )}
        {text && (
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => navigator.clipboard.writeText(text).then(() => tell(t('ui.common.copied')))}
          >
            {t('chat.message.copyText')}
          </Menu.Item>
        )}
        {mayForward(message) && (
          <>
            <Menu.Item leftSection={<IconArrowForwardUp size={16} />} onClick={() => forward(messages)}>
              {t('chat.message.forward')}
            </Menu.Item>
            <Menu.Item leftSection={<IconSelect size={16} />} onClick={() => messages.forEach(select)}>
              {t('chat.message.select')}
            </Menu.Item>
          </>
        )}
        {message.reactions && message.reactions.given.length > 0 && (
          <Menu.Item leftSection={<IconMoodSmile size={16} />} onClick={() => onShow('reactions')}>
            {t('chat.reaction.whoReacted')}
          </Menu.Item>
        )}
        {mayPin && message.type !== 'deleted' && (
          <Menu.Item
            leftSection={isPinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
            onClick={() => void setPinned(message, !isPinned).catch(showError)}
          >
            {isPinned ? t('chat.message.unpin') : t('chat.message.pin')}
          </Menu.Item>
        )}
        {mayWrite && mayEdit(message, accountId, Date.now()) && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => edit(message)}>
            {t('ui.common.edit')}
          </Menu.Item>
        )}
        {message.from !== accountId && message.type !== 'deleted' && (
          <Menu.Item leftSection={<IconFlag size={16} />} onClick={() => onShow('report')}>
            {t('chat.report.report')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          color="var(--mantine-color-error)"
          onClick={() => onShow('delete')}
        >
          {t('ui.common.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks for whom to delete a message or an album. The live stream then removes it from the page. */
function DeleteMessage({
  messages,
  isForEverybody,
  onClose,
}: {
  messages: ChatMessage[];
  /** Whether the person may also delete them for everybody. */
  isForEverybody: boolean;
  onClose: () => void;
}) {
  const t = useTexts();
  const end = useAction(
    async (erase: typeof deleteForMe) => {
      for (const message of messages) await erase(message);
    },
    { onSuccess: onClose },
  );
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        messages.length > 1
          ? t('chat.message.deleteAlbum', { count: messages.length })
          : t('chat.message.deleteTitle')
      }
    >
      <Stack>
        <Text size="sm">
          {isForEverybody ? t('chat.message.deleteText') : t('chat.message.deleteForMeText')}
        </Text>
        {isForEverybody && (
          <Button color="red" {...runs(end, deleteForEverybody)}>
            {t('chat.message.deleteForEverybody')}
          </Button>
        )}
        <Button variant="default" {...runs(end, deleteForMe)}>
          {t('chat.message.deleteForMe')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('ui.common.cancel')}
        </Button>
      </Stack>
    </Dialog>
  );
}
